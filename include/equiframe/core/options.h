#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "equiframe/export.h"

namespace equiframe::inline core {

/// Typed view of named settings. A key nobody read is an error (`refuse_unread`), so a misspelt
/// `widht = 64` cannot pass silently.
class EQUIFRAME_API Options {
 public:
  Options() = default;
  Options(std::initializer_list<std::pair<const std::string, std::string>> values)
      : values_(values) {}

  /// "name(key=value, key=value)" or "name": the notation of configs and the command line.
  static std::pair<std::string, Options> parse_call(const std::string& text);

  void set(const std::string& key, std::string value) { values_[key] = std::move(value); }
  bool has(const std::string& key) const { return values_.contains(key); }

  std::string get(const std::string& key, const std::string& fallback) const;
  int64_t get_int(const std::string& key, int64_t fallback) const;
  double get_double(const std::string& key, double fallback) const;
  bool get_bool(const std::string& key, bool fallback) const;
  /// The index of the value in `choices`; the first is the default.
  size_t get_choice(const std::string& key, const std::vector<std::string>& choices) const;

  /// Throws UserError naming the keys that `owner` never asked for and the ones it knows.
  void refuse_unread(const std::string& owner) const;

  /// Back to the notation of `parse_call`, without the name: "k=2, base=pca".
  std::string str() const;

 private:
  const std::string* find(const std::string& key) const;

  std::map<std::string, std::string> values_;
  mutable std::set<std::string> known_;  // every key that was asked for
};

/// A plug-in by name, with its settings as text.
struct EQUIFRAME_API Choice {
  std::string name;
  std::map<std::string, std::string> settings;

  /// A fresh view, so that `refuse_unread` sees what this use has read.
  Options options() const;
  /// The notation of `parse_call`: "fa-gnn(width=60)", or "gnn" without settings.
  std::string str() const;
  bool operator==(const Choice&) const = default;
};

}  // namespace equiframe::inline core
