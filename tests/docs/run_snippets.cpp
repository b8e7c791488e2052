#include <exception>
#include <iostream>

#include "snippets.h"

namespace {

/// Empty if the block ran well, otherwise the reason.
std::string failure(const Snippet& snippet) {
  try {
    const int code = snippet.run();
    return code == 0 ? "" : "returned " + std::to_string(code);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

int main() {
  int failed = 0;
  for (const Snippet& snippet : kSnippets) {
    std::cout << "== " << snippet.place << std::endl;
    const std::string reason = failure(snippet);
    if (reason.empty()) continue;
    std::cout << "FAILED: " << reason << '\n';
    ++failed;
  }
  std::cout << kSnippets.size() << " blocks run, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
