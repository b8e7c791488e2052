#pragma once

#include <string>

#include <gtest/gtest.h>

namespace equiframe::test_support {

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

}  // namespace equiframe::test_support
