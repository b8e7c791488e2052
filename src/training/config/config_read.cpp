#include <algorithm>
#include <charconv>

#include <toml++/toml.h>

#include "core/plain_text.h"
#include "core/text.h"
#include "equiframe/core/error.h"
#include "io/bytes/input_file.h"
#include "training/config/config_fields.h"
#include "training/config/train_options.h"

namespace equiframe::inline training {
namespace {

/// "FILE:LINE" of a value, or how it came to be.
std::string place(const std::string& where, const toml::node& node) {
  const auto line = node.source().begin.line;
  return line == 0 ? where : where + ":" + std::to_string(line);
}

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw UserError(place + ": " + what);
}

/// A scalar as the text a plug-in reads.
std::string as_text(const toml::node& node, const std::string& key, const std::string& where) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return std::to_string(value->get());
  if (const auto* value = node.as_floating_point()) return text::shortest(value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  refuse(place(where, node), key + " must be a text, a number, or true or false");
}

/// Reads the members of one section and remembers their keys.
class Reader {
 public:
  Reader(const toml::table& section, std::string name, std::string where)
      : section_(section), name_(std::move(name)), where_(std::move(where)) {}

  template <class Member>
  void operator()(const std::string& key, Member& member) {
    known_.push_back(key);
    if (const toml::node* node = section_.get(key)) read(key, *node, member);
  }

  template <class Choice>
  void choice(const std::string& key, Choice& member, const std::vector<std::string>& names) {
    std::string text;
    (*this)(key, text);
    if (!section_.contains(key)) return;
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
      refuse(place(where_, *section_.get(key)),
             name_ + "." + key + ": " + text::unknown_name("choice", text, names));
    member = static_cast<Choice>(found - names.begin());
  }

  void refuse_unknown() const {
    for (const auto& [key, node] : section_) {
      if (std::find(known_.begin(), known_.end(), key.str()) == known_.end())
        refuse(place(where_, node),
               text::unknown_name("key of [" + name_ + "]", key.str(), known_));
    }
  }

 private:
  [[noreturn]] void refuse_type(const std::string& key, const toml::node& node,
                                const char* wanted) const {
    refuse(place(where_, node), name_ + "." + key + " must be " + wanted);
  }

  void read(const std::string& key, const toml::node& node, int64_t& member) const {
    if (!node.is_integer()) refuse_type(key, node, "a whole number");
    member = node.as_integer()->get();
  }
  void read(const std::string& key, const toml::node& node, uint64_t& member) const {
    int64_t value = 0;
    read(key, node, value);
    if (value < 0) refuse_type(key, node, "zero or more");
    member = static_cast<uint64_t>(value);
  }
  void read(const std::string& key, const toml::node& node, double& member) const {
    if (!node.is_number()) refuse_type(key, node, "a number");
    member = *node.value<double>();
  }
  void read(const std::string& key, const toml::node& node, bool& member) const {
    if (!node.is_boolean()) refuse_type(key, node, "true or false");
    member = node.as_boolean()->get();
  }
  void read(const std::string& key, const toml::node& node, std::string& member) const {
    if (!node.is_string()) refuse_type(key, node, "a text");
    member = node.as_string()->get();
  }
  void read(const std::string& key, const toml::node& node, CheckpointInterval& member) const {
    member = CheckpointInterval::parse(as_text(node, name_ + "." + key, where_));
  }

  void read(const std::string& key, const toml::node& node,
            std::map<std::string, double>& member) const {
    if (!node.is_table()) refuse_type(key, node, "a table of numbers");
    for (const auto& [name, value] : *node.as_table())
      read(key + "." + std::string(name.str()), value, member[std::string(name.str())]);
  }

  const toml::table& section_;
  std::string name_;
  std::string where_;
  std::vector<std::string> known_;
};

void read_choice(const toml::table& section, const std::string& name, const std::string& where,
                 Choice& choice) {
  for (const auto& [key, node] : section) {
    const std::string text = as_text(node, name + "." + std::string(key.str()), where);
    if (key.str() == "name")
      choice.name = text;
    else
      choice.settings[std::string(key.str())] = text;
  }
}

/// Puts "section.key=value" into the document; a value that is no TOML is a text.
void override_value(toml::table& document, const std::string& setting) {
  const size_t equals = setting.find('='), dot = setting.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals)
    throw UserError("cannot read --set " + setting + "; write section.key=value");
  const std::string section = text::trim(setting.substr(0, dot));
  const std::string key = text::trim(setting.substr(dot + 1, equals - dot - 1));
  const std::string value = text::trim(setting.substr(equals + 1));
  document.emplace<toml::table>(section);
  toml::table* table = document.get_as<toml::table>(section);
  if (table == nullptr) throw UserError("--set " + setting + ": " + section + " is no section");
  try {
    const toml::table parsed = toml::parse("value = " + value);
    table->insert_or_assign(key, *parsed.get("value"));
  } catch (const toml::parse_error&) {  // ".5" is no TOML number, and "pca" no TOML text
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size())
      table->insert_or_assign(key, number);
    else
      table->insert_or_assign(key, value);
  }
}

toml::table parse_document(const std::string& text, const std::string& where) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw UserError(where + ":" + std::to_string(error.source().begin.line) +
                    ": not TOML: " + std::string(error.description()));
  }
}

template <class Fields>
void read_fields(const toml::table& section, const std::string& name, const std::string& where,
                 Fields& fields) {
  Reader reader(section, name, where);
  visit_fields(fields, reader);
  reader.refuse_unknown();
}

RunConfig to_config(const toml::table& document, const std::string& where) {
  const std::vector<std::string> sections{"data", "model", "train", "paper"};
  RunConfig config;
  for (const auto& [key, node] : document) {
    const std::string name(key.str());
    const toml::table* section = node.as_table();
    if (std::find(sections.begin(), sections.end(), name) == sections.end())
      refuse(place(where, node), text::unknown_name("section", name, sections));
    if (section == nullptr) refuse(place(where, node), "write [" + name + "] as a section");
    if (name == "data") read_choice(*section, name, where, config.data);
    if (name == "model") read_choice(*section, name, where, config.model);
    if (name == "train") read_fields(*section, name, where, config.train);
    if (name == "paper") read_fields(*section, name, where, config.paper);
  }
  if (config.model.name.empty())
    throw UserError(where + ": no model; add [model] with name = \"...\"");
  try {
    validate(config.train);
  } catch (const UserError& error) {
    throw UserError(where + ": " + error.what());
  }
  return config;
}

}  // namespace

RunConfig parse_config(const std::string& toml, const std::string& where,
                       const std::vector<std::string>& overrides) {
  toml::table document = parse_document(toml, where);
  for (const std::string& setting : overrides) override_value(document, setting);
  return to_config(document, where);
}

RunConfig load_config(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides) {
  return parse_config(read_whole_file(file), file.string(), overrides);
}

}  // namespace equiframe::inline training
