#pragma once

#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::data_test {

using test_support::entries;
using test_support::message_of;
using test_support::read_file;
using test_support::TemporaryFolder;
using test_support::write_file;

}  // namespace equiframe::data_test
