#include "core/plain_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

#include <locale.h>

namespace equiframe::text {
namespace {

/// The "C" locale for printf in this thread.
class ClassicNumbers {
 public:
  ClassicNumbers() : before_(uselocale(classic())) {}
  ClassicNumbers(const ClassicNumbers&) = delete;
  ClassicNumbers& operator=(const ClassicNumbers&) = delete;
  ~ClassicNumbers() { uselocale(before_); }

 private:
  static locale_t classic() {
    static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", locale_t{});
    return c_locale;
  }

  locale_t before_;
};

/// The bytes of the character that `text` begins with; 0 if it is not UTF-8 or does not print.
size_t printing_character(std::string_view text) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return byte(0) >= ' ' && byte(0) != 0x7F ? 1 : 0;
  const size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  uint32_t code = byte(0) & (0xFFU >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(k) & 0x3FU);
  }
  constexpr std::array<uint32_t, 5> kMin{0, 0, 0xA0, 0x800,
                                         0x10000};  // below: control, or too long
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool turns_text = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return code < kMin[length] || code > 0x10FFFF || surrogate || turns_text ? 0 : length;
}

}  // namespace

std::string printed(const char* format, double value) {
  const ClassicNumbers classic;
  std::array<char, 400> buffer{};  // "%f" of the largest double has 317 characters
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.begin(), buffer.end(), value).ptr};
}

std::string printable(std::string_view text) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = printing_character(text);
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text.front());
      result += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    result += text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

std::string excerpt(std::string_view text) {
  constexpr size_t kShown = 40;
  if (text.size() <= kShown) return printable(text);
  size_t end = kShown;
  while (end > kShown - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return printable(text.substr(0, end)) + "...";
}

}  // namespace equiframe::text
