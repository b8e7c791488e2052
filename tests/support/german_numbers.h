// Programs that honour a locale in which 1234.5 is "1.234,5".
#pragma once

#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>

#include "tests/support/temporary_folder.h"

namespace equiframe::test_support {

/// What std::locale::global does to all streams; needs no locale of the system.
class GermanStreams {
 public:
  GermanStreams() : before_(std::locale::global({std::locale::classic(), new Punctuation})) {}
  GermanStreams(const GermanStreams&) = delete;
  GermanStreams& operator=(const GermanStreams&) = delete;
  ~GermanStreams() { std::locale::global(before_); }

 private:
  struct Punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_;
};

/// What setlocale(LC_ALL, "") does to printf and strtod where LANG is de_DE, which is made in a
/// folder of its own if the system does not have it.
class GermanPrintf {
 public:
  GermanPrintf() : before_(std::setlocale(LC_ALL, nullptr)) {
    works_ = std::setlocale(LC_ALL, kName) != nullptr;
    if (works_) return;
    const std::string make =
        "localedef -i de_DE -f UTF-8 '" + (folder_ / kName).string() + "' >/dev/null 2>&1";
    made_ = std::system(make.c_str()) == 0;  // NOLINT(cert-env33-c)
    if (!made_) return;
    setenv("LOCPATH", folder_.path().c_str(), 1);
    works_ = std::setlocale(LC_ALL, kName) != nullptr;
    unsetenv("LOCPATH");
  }
  GermanPrintf(const GermanPrintf&) = delete;
  GermanPrintf& operator=(const GermanPrintf&) = delete;
  ~GermanPrintf() { std::setlocale(LC_ALL, before_.c_str()); }

  /// For LOCPATH; empty if the system has the locale.
  std::string folder() const { return made_ ? folder_.path().string() : ""; }
  bool works() const { return works_; }
  static const char* reason() { return "no locale de_DE.UTF-8, and localedef cannot make it"; }

 private:
  static constexpr const char* kName = "de_DE.UTF-8";
  std::string before_;
  TemporaryFolder folder_;
  bool made_ = false, works_ = false;
};

}  // namespace equiframe::test_support
