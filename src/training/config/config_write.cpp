#include <charconv>
#include <sstream>

#include "core/plain_text.h"
#include "io/bytes/checksum.h"
#include "training/config/config_fields.h"

namespace equiframe::inline training {
namespace {

/// A TOML basic string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

/// Numbers and truth values bare, everything else as a string.
std::string toml_value(const std::string& text) {
  if (text == "true" || text == "false") return text;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  const bool plain = text.find_first_not_of("0123456789.+-eE") == std::string::npos;
  return is_number && plain ? text : quoted(text);
}

class Writer {
 public:
  explicit Writer(std::ostringstream& out) : out_(out) {}

  template <class Member>
  void operator()(const std::string& key, const Member& member) {
    out_ << key << " = " << write(member) << '\n';
  }
  void operator()(const std::string& key, const std::map<std::string, double>& member) {
    if (!member.empty()) out_ << key << " = " << write(member) << '\n';
  }
  template <class Choice>
  void choice(const std::string& key, const Choice& member, const std::vector<std::string>& names) {
    out_ << key << " = " << quoted(names.at(static_cast<size_t>(member))) << '\n';
  }

 private:
  static std::string write(int64_t value) { return std::to_string(value); }
  static std::string write(uint64_t value) { return std::to_string(value); }
  static std::string write(bool value) { return value ? "true" : "false"; }
  static std::string write(const std::string& value) { return quoted(value); }
  static std::string write(const CheckpointInterval& value) { return toml_value(value.str()); }
  static std::string write(double value) {
    const std::string text = text::shortest(value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  static std::string write(const std::map<std::string, double>& values) {
    std::string text;
    for (const auto& [key, value] : values)
      text += (text.empty() ? "{ " : ", ") + quoted(key) + " = " + write(value);
    return text + " }";
  }

  std::ostringstream& out_;
};

void write_choice(std::ostringstream& out, const std::string& section, const Choice& choice) {
  out << '[' << section << "]\nname = " << quoted(choice.name) << '\n';
  for (const auto& [key, value] : choice.settings) out << key << " = " << toml_value(value) << '\n';
  out << '\n';
}

}  // namespace

std::string to_toml(const RunConfig& config) {
  std::ostringstream out;
  RunConfig copy = config;
  write_choice(out, "data", config.data);
  write_choice(out, "model", config.model);
  out << "[train]\n";
  visit_fields(copy.train, Writer(out));
  if (!config.paper.table.empty()) {
    out << "\n[paper]\n";
    visit_fields(copy.paper, Writer(out));
  }
  return out.str();
}

std::string config_hash(const RunConfig& config) {
  RunConfig essence = config;
  essence.paper = {};
  essence.train.threads = 0;
  essence.train.max_seconds = 0;
  essence.train.checkpoint_every = {};
  return sha256(to_toml(essence));
}

}  // namespace equiframe::inline training
