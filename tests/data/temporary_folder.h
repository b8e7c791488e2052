#pragma once

#include <filesystem>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace equiframe::data_test {

using test_support::read_file;
using test_support::TemporaryFolder;
using test_support::write_file;

inline std::ptrdiff_t entries(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

/// The text of the Error that `call` throws; a failure if it throws none.
template <class Error, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace equiframe::data_test
