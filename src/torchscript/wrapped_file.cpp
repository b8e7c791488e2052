#include <locale>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/script.h>

#include "equiframe/core/error.h"
#include "equiframe/torchscript/wrap.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/input_file.h"
#include "torchscript/first_line.h"
#include "torchscript/templates/assemble.h"
#include "torchscript/templates/permutation_source.h"

namespace equiframe::inline torchscript {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<TypedArgument> arguments_in(const json& texts) {
  std::vector<TypedArgument> result;
  result.reserve(texts.size());
  for (const auto& text : texts) result.push_back(parse_typed_argument(text.get<std::string>()));
  return result;
}

WrapOptions options_in(const json& card) {
  WrapOptions options;
  options.call.group = card.at("group").get<std::string>();
  options.call.in = arguments_in(card.at("in"));
  options.call.out = arguments_in(card.at("out"));
  options.call.mask = card.value("mask", "");
  options.call.batch_axis = card.value("batch_axis", options.call.batch_axis);
  options.call.point_axis = card.value("point_axis", options.call.point_axis);
  options.frame = card.at("frame").get<std::string>();
  options.train_frame = card.value("train_frame", "");
  options.max_bytes = card.value("max_bytes", int64_t{0});
  options.operators = !card.value("needs", "").empty();
  return options;
}

/// LibTorch writes the numbers of code by streams, which follow std::locale::global: a file written
/// with a decimal comma cannot be read. While this lives, no stream that is made has a locale.
class ClassicStreams {
 public:
  ClassicStreams() : before_(std::locale::global(std::locale::classic())) {}
  ClassicStreams(const ClassicStreams&) = delete;
  ClassicStreams& operator=(const ClassicStreams&) = delete;
  ~ClassicStreams() { std::locale::global(before_); }

 private:
  std::locale before_;
};

/// f of the card, which is somebody's file.
template <class F>
auto read(const std::string& card, const fs::path& file, F&& f) {
  try {
    return f(json::parse(card));
  } catch (const json::exception&) {
    throw UserError("the card in '" + file.string() +
                    "' is damaged; write the file again with equiframe wrap");
  }
}

}  // namespace

// In memory, since LibTorch's writer of files ends the program if the disk is full.
std::string script_archive(const torch::jit::Module& module,
                           const std::unordered_map<std::string, std::string>& files) {
  const ClassicStreams no_locale;
  std::ostringstream archive;
  module.save(archive, files);
  return std::move(archive).str();
}

void save_script(const fs::path& file, const ScriptModel& model, const std::string& card) {
  torch::jit::Module module = model.module();
  if (module.hasattr(kCardAttribute)) module.setattr(kCardAttribute, card);
  std::string archive;
  try {
    archive = script_archive(module, {{kWrapCard, card}});
  } catch (const std::exception& error) {
    throw UserError("cannot write '" + file.string() + "': " + first_line(error.what()));
  }
  write_file_atomically(file, archive);
}

std::string load_script_card(const fs::path& file) {
  require_ordinary_file(file);
  torch::jit::ExtraFilesMap extra{{kWrapCard, ""}};
  try {
    const torch::jit::Module module = torch::jit::load(file.string(), torch::kCPU, extra);
    if (!extra[kWrapCard].empty() || !module.hasattr(kCardAttribute)) return extra[kWrapCard];
    return module.attr(kCardAttribute).toStringRef();
  } catch (const std::exception&) {
    ScriptModel::load(file);  // says what is wrong
  }
  return {};
}

std::optional<WrapOptions> load_wrap_options(const fs::path& file) {
  const std::string card = load_script_card(file);
  if (card.empty()) return std::nullopt;
  return read(card, file, options_in);
}

ScriptModel load_with_operators(const fs::path& file) {
  const std::string card = load_script_card(file);
  if (card.empty())
    throw UserError("'" + file.string() + "' has no card: it was not written by equiframe wrap");
  WrapOptions options = read(card, file, options_in);
  const ScriptModel plain = ScriptModel::load(file);
  if (options.operators || is_permutation_group(options.call.group)) return plain;
  options.operators = true;
  const double bytes =
      read(card, file, [](const json& all) { return all.value("bytes_per_number", 0.0); });
  const ScriptModel backbone(plain.module().attr("backbone").toModule());
  ScriptModel fast =
      assemble(backbone, options, [&](const auto&, const auto&) { return bytes; }).model;
  torch::jit::Module module = fast.module();
  module.setattr(kCardAttribute, card);
  return fast;
}

}  // namespace equiframe::inline torchscript
