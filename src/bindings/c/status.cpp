#include "bindings/c/status.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string_view>

#include <c10/util/Exception.h>

#include "equiframe/runtime/blas.h"
#include "equiframe/version.h"

namespace equiframe::inline bindings {
namespace {

/// Fixed, so that telling of an error needs no memory.
constexpr size_t kLongestText = 2048;
thread_local std::array<char, kLongestText> last_error{};

int fail(equiframe_status status, std::string_view text) noexcept {
  text = text.substr(0, kLongestText - 1);
  const auto end = std::replace_copy(text.begin(), text.end(), last_error.begin(), '\n', ' ');
  *end = '\0';
  return status;
}

constexpr const char* kNoMemory = "memory ran out; use a smaller batch or cloud";

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// How LibTorch says that there is no room for a tensor.
bool is_lack_of_memory(std::string_view text) {
  return text.find("can't allocate memory") != std::string_view::npos;
}

}  // namespace

int caught() noexcept {
  try {
    throw;
  } catch (const UserError& error) {
    return fail(EQUIFRAME_WRONG_INPUT, error.what());
  } catch (const c10::Error& error) {
    const char* const text = error.what_without_backtrace();
    return fail(EQUIFRAME_INTERNAL, is_lack_of_memory(text) ? kNoMemory : first_line(text));
  } catch (const std::bad_alloc&) {
    return fail(EQUIFRAME_INTERNAL, kNoMemory);
  } catch (const std::exception& error) {
    return fail(EQUIFRAME_INTERNAL, error.what());
  } catch (...) {
    return fail(EQUIFRAME_INTERNAL, "an error without a text");
  }
}

void forget_error() noexcept {
  last_error.front() = '\0';
}

void prepare() {
  runtime::use_fast_blas();
}

}  // namespace equiframe::inline bindings

int equiframe_api_version(void) {
  return EQUIFRAME_API_VERSION;
}

const char* equiframe_version_string(void) {
  return equiframe::version().data();  // a literal, so it ends with zero
}

const char* equiframe_last_error(void) {
  return equiframe::bindings::last_error.data();
}
