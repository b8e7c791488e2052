#pragma once

#include <string>
#include <vector>

/// A C++ block of the documentation.
struct Snippet {
  std::string place;  ///< file:line of its opening fence
  int (*run)();       ///< as main(): 0 is success
};

/// Written by tools/extract_snippets.py.
extern const std::vector<Snippet> kSnippets;
