#pragma once

namespace equiframe::app {

/// Of the sources this program was built from, "-dirty" if they had been changed; "" if git did not
/// know them. cmake/write_commit.cmake writes it.
const char* build_commit();

}  // namespace equiframe::app
