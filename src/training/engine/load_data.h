#pragma once

#include <filesystem>

#include "equiframe/training/run.h"

namespace equiframe::inline training {

/// The splits a config names, from the files in `folder`; empty = from the cache.
Splits load_data(const Choice& data, const std::filesystem::path& folder, Observer* observer);

}  // namespace equiframe::inline training
