#include "core/plain_text.h"
#include "equiframe/audit/subject.h"
#include "equiframe/core/error.h"
#include "equiframe/torchscript/wrap.h"
#include "io/bytes/input_file.h"

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

/// What the user left open, from the card that `equiframe wrap` puts into its files.
TypedCall completed(TypedCall call, const fs::path& file) {
  if (!call.group.empty() && !call.in.empty() && !call.out.empty()) return call;
  const auto wrapped = load_wrap_options(file);
  if (!wrapped) return call;
  const TypedCall& known = wrapped->call;
  if (call.group.empty()) call.group = known.group;
  if (call.out.empty()) call.out = known.out;
  if (!call.in.empty()) return call;
  call.in = known.in;
  call.mask = known.mask;
  call.batch_axis = known.batch_axis;
  call.point_axis = known.point_axis;
  return call;
}

}  // namespace

std::unique_ptr<Subject> open_subject(const std::string& model, const TypedCall& call) {
  const auto end = end_of_library(model);
  if (end != std::string::npos)
    return library_subject(model.substr(0, end), end < model.size() ? model.substr(end + 1) : "",
                           call);
  const fs::path file(model);
  require_ordinary_file(file);
  if (file.extension() == ".safetensors") {
    if (!call.in.empty() || !call.out.empty())
      throw UserError("the card of a .safetensors model has its types; leave --in and --out away");
    return model_subject(file, call.group);
  }
  const ScriptModel script = ScriptModel::load(file);
  return script_subject(script, completed(call, file), text::printable(file.filename().string()));
}

}  // namespace equiframe::audit
