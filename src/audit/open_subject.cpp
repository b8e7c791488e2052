#include <nlohmann/json.hpp>

#include "equiframe/audit/subject.h"
#include "equiframe/core/error.h"
#include "equiframe/script/wrap.h"

namespace equiframe::audit {
namespace {

namespace fs = std::filesystem;

/// Where a library's name ends in LIB.so:MODELFILE or LIB.so.1:MODELFILE; npos = it is none.
size_t end_of_library(const std::string& text) {
  const auto dot = text.rfind(".so", text.find(':'));
  if (dot == std::string::npos) return dot;
  const auto colon = text.find(':', dot);
  return colon == std::string::npos ? text.size() : colon;
}

std::vector<TypedArgument> arguments_in(const nlohmann::json& texts) {
  std::vector<TypedArgument> result;
  result.reserve(texts.size());
  for (const auto& text : texts) result.push_back(parse_typed_argument(text.get<std::string>()));
  return result;
}

/// What the user left open, from the card that `equiframe wrap` puts into its files.
TypedCall completed(TypedCall call, const fs::path& file) {
  if (!call.group.empty() && !call.in.empty() && !call.out.empty()) return call;
  const std::string text = load_script_card(file);
  if (text.empty()) return call;
  const auto card = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  try {
    if (call.group.empty()) call.group = card.at("group").get<std::string>();
    if (call.in.empty()) {
      call.in = arguments_in(card.at("in"));
      call.mask = card.value("mask", "");
      call.batch_axis = card.value("batch_axis", call.batch_axis);
      call.point_axis = card.value("point_axis", call.point_axis);
    }
    if (call.out.empty()) call.out = arguments_in(card.at("out"));
  } catch (const nlohmann::json::exception&) {
    throw UserError("the card in '" + file.string() + "' is damaged; give --group, --in and --out");
  }
  return call;
}

}  // namespace

std::unique_ptr<Subject> open_subject(const std::string& model, const TypedCall& call) {
  const auto end = end_of_library(model);
  if (end != std::string::npos)
    return library_subject(model.substr(0, end), end < model.size() ? model.substr(end + 1) : "",
                           call);
  const fs::path file(model);
  if (!fs::is_regular_file(file)) throw UserError("no file '" + model + "'");
  if (file.extension() == ".safetensors") {
    if (!call.in.empty() || !call.out.empty())
      throw UserError("the card of a .safetensors model has its types; leave --in and --out away");
    return model_subject(file, call.group);
  }
  const ScriptModel script = ScriptModel::load(file);
  return script_subject(script, completed(call, file), file.filename().string());
}

}  // namespace equiframe::audit
