#include "equiframe/core/options.h"

#include <charconv>

#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline core {

std::pair<std::string, Options> Options::parse_call(const std::string& call) {
  const std::string trimmed = text::trim(call);
  const size_t open = trimmed.find('(');
  if (open == std::string::npos) return {trimmed, {}};
  if (trimmed.back() != ')')
    throw UserError("cannot read '" + call + "'; write name(key=value, key=value)");
  Options options;
  const std::string inside = trimmed.substr(open + 1, trimmed.size() - open - 2);
  if (!text::trim(inside).empty()) {
    for (const std::string& piece : text::split(inside, ',')) {
      const size_t equals = piece.find('=');
      if (equals == std::string::npos)
        throw UserError("cannot read '" + piece + "' in '" + call + "'; write key=value");
      options.set(text::trim(piece.substr(0, equals)), text::trim(piece.substr(equals + 1)));
    }
  }
  return {text::trim(trimmed.substr(0, open)), options};
}

const std::string* Options::find(const std::string& key) const {
  known_.insert(key);
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Options::get(const std::string& key, const std::string& fallback) const {
  const std::string* value = find(key);
  return value != nullptr ? *value : fallback;
}

namespace {

template <class Number>
Number parse_number(const std::string& key, const std::string& value, const char* expected) {
  Number result{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size())
    throw UserError("option " + key + " = '" + value + "' is not " + expected);
  return result;
}

}  // namespace

int64_t Options::get_int(const std::string& key, int64_t fallback) const {
  const std::string* value = find(key);
  return value != nullptr ? parse_number<int64_t>(key, *value, "a whole number") : fallback;
}

double Options::get_double(const std::string& key, double fallback) const {
  const std::string* value = find(key);
  return value != nullptr ? parse_number<double>(key, *value, "a number") : fallback;
}

bool Options::get_bool(const std::string& key, bool fallback) const {
  const std::string* value = find(key);
  if (value == nullptr) return fallback;
  if (*value == "true" || *value == "false") return *value == "true";
  throw UserError("option " + key + " = '" + *value + "' is neither true nor false");
}

size_t Options::get_choice(const std::string& key, const std::vector<std::string>& choices) const {
  const std::string value = get(key, choices.front());
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == value) return i;
  }
  throw UserError("option " + key + ": " + text::unknown_name("choice", value, choices));
}

void Options::refuse_unread(const std::string& owner) const {
  for (const auto& [key, value] : values_) {
    if (known_.contains(key)) continue;
    if (known_.empty()) throw UserError(owner + " takes no options, got '" + key + "'");
    throw UserError(owner + ": " +
                    text::unknown_name("option", key, {known_.begin(), known_.end()}));
  }
}

std::string Options::str() const {
  std::vector<std::string> pieces;
  for (const auto& [key, value] : values_) pieces.push_back(key + "=" + value);
  return text::join(pieces);
}

Options Choice::options() const {
  Options result;
  for (const auto& [key, value] : settings) result.set(key, value);
  return result;
}

std::string Choice::str() const {
  return settings.empty() ? name : name + "(" + options().str() + ")";
}

}  // namespace equiframe::inline core
