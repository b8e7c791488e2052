// Memory that runs out at a chosen moment, in this process and all libraries it has loaded.
#pragma once

#include <functional>
#include <string>

namespace equiframe::memory_test {

/// The n-th allocation alone, as where another process took the last page for a moment, or all
/// from the n-th on until the work has given up.
enum class Lack { kOnce, kForGood };

/// To be called by the work if it sees a result that is wrong rather than missing; needs no memory.
void report_fault(const char* what);

/// Does the work again and again, each time with the memory running out at another of `places`
/// places spread over all its allocations, and then with all memory. With too little it may throw
/// std::exception and nothing else; with all it must not throw. `name` is said where that fails,
/// or where the process dies of it.
void expect_survival(const std::string& name, int places, const std::function<void()>& work);

}  // namespace equiframe::memory_test
