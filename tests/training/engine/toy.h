#pragma once

#include <filesystem>
#include <string>

#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "equiframe/training/config.h"
#include "tests/support/temporary_folder.h"

/// Small models and data that train in milliseconds, registered under these names:
///
/// | toy-linear | x + t v, E(3)-equivariant; setting `start`                                  |
/// | toy-mlp    | a network with dropout and a buffer that changes; settings `width`, `drop`  |
/// | toy-liar   | adds a constant to x and claims E(3)                                        |
/// | toy        | data set: x + 0.7 v plus a bend; settings `size`, `seed`, `masked`          |
namespace equiframe::training_test {

/// Items [size, 4, 7] float32 with targets [size, 4, 3]; the last node of odd items is padding if
/// `masked`, with a target of 1e6 that nobody may look at.
std::shared_ptr<const Dataset> toy_data(int64_t size, uint64_t seed, bool masked = false);

Splits toy_splits(int64_t size = 40);

/// A config of toy-mlp on toy: 6 epochs of 5 batches.
RunConfig toy_config();

using test_support::read_file;
using test_support::TemporaryFolder;
using test_support::write_file;

/// The text of the UserError that `f` throws; "" if it throws none.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace equiframe::training_test
