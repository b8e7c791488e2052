#include "equiframe/torchscript/wrap.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "audit/measure/symmetry_errors.h"
#include "build_commit.h"
#include "commands.h"
#include "core/memory_size.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "equiframe/models/model_file.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/checksum.h"
#include "typed_call_options.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using audit::SymmetryErrors;
using nlohmann::ordered_json;

struct WrapCommand {
  fs::path model, out;
  CallWords call;
  WrapOptions options;
  std::string max_memory;
  std::vector<std::string> shapes, inputs;
  bool json = false;
};

/// "edge=3,16,16,4"
void read_shape(const std::string& text, WrapOptions& options) {
  const auto equals = text.find('=');
  std::vector<int64_t> shape;
  try {
    for (size_t at = equals; at != std::string::npos; at = text.find(',', at + 1))
      shape.push_back(std::stoll(text.substr(at + 1)));
  } catch (const std::exception&) {
    shape.clear();
  }
  if (equals == 0 || shape.empty())
    throw UserError("--shape is written NAME=SIZE,SIZE,..., not '" + text + "'");
  options.shapes[text.substr(0, equals)] = shape;
}

/// "edge=edges.npy"
void read_input(const std::string& text, WrapOptions& options) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UserError("--input is written NAME=FILE.npy, not '" + text + "'");
  options.inputs[text.substr(0, equals)] = read_npy(text.substr(equals + 1));
}

struct Comparison {
  std::vector<SymmetryErrors> before, after;
};

/// What the model was tried on, for each argument of the subject.
std::vector<Tensor> example_of(const audit::Subject& subject, const ScriptModel& model,
                               const std::vector<Tensor>& probe) {
  std::vector<Tensor> example;
  for (const audit::Slot& slot : subject.typing().in) {
    size_t k = 0;
    while (model.arguments().at(k).name != slot.name) ++k;
    example.push_back(subject.to_example(slot, probe.at(k)));
  }
  return example;
}

Comparison compare(const ScriptModel& bare, const WrappedModel& wrapped,
                   const WrapOptions& options) {
  const auto measured = [&](const ScriptModel& model) {
    const auto subject = audit::script_subject(model, wrapped.call);
    audit::MeasureOptions how;
    how.points = options.nodes;
    how.items = 4;
    how.draws = 10;
    if (!options.shapes.empty() || !options.inputs.empty())
      subject->set_example(example_of(*subject, model, wrapped.probe));
    return audit::measure_symmetry(*subject, audit::probe_inputs(*subject, how), how);
  };
  return {measured(bare), measured(wrapped.model)};
}

ordered_json error_json(const SymmetryErrors& e) {
  ordered_json result{{"float32", e.float32.max}};
  if (e.has_float64) result["float64"] = e.float64.max;
  return result;
}

ordered_json card_of(const WrapCommand& command, const WrappedModel& wrapped,
                     const Comparison& errors) {
  const TypedCall& call = command.options.call;
  const auto types = [](const std::vector<TypedArgument>& arguments) {
    ordered_json list = ordered_json::array();
    for (const TypedArgument& a : arguments)
      list.push_back(a.name.empty() ? a.type : a.name + "=" + a.type);
    return list;
  };
  ordered_json measured = ordered_json::object();
  for (size_t k = 0; k < errors.after.size(); ++k) {
    if (!errors.after[k].measured) continue;
    measured[audit::to_string(errors.after[k].part)] = {{"claimed", errors.after[k].claimed},
                                                        {"before", error_json(errors.before[k])},
                                                        {"after", error_json(errors.after[k])}};
  }
  const Provenance made = provenance(build_commit());
  return {{"what", "a TorchScript model averaged over frames"},
          {"group", call.group},
          {"in", types(call.in)},
          {"out", types(call.out)},
          {"mask", call.mask},
          {"batch_axis", call.batch_axis},
          {"point_axis", call.point_axis},
          {"frame", wrapped.frame},
          {"train_frame", command.options.train_frame},
          {"max_bytes", command.options.max_bytes},
          {"needs", command.options.operators ? "libequiframe" : ""},
          {"bytes_per_number", wrapped.bytes_per_number},
          {"wrapped",
           {{"file", text::printable(command.model.filename().string())},
            {"sha256", sha256_file(command.model)}}},
          {"error", measured},
          {"made_by",
           {{"equiframe", made.equiframe}, {"commit", made.commit}, {"libtorch", made.libtorch}}}};
}

void print(const WrapCommand& command, const WrappedModel& wrapped, const Comparison& errors) {
  std::printf("%s, averaged over %s of %s\n",
              text::printable(command.model.filename().string()).c_str(), wrapped.frame.c_str(),
              command.options.call.group.c_str());
  std::printf("  %-12s  %12s  %12s   largest error of f(gx) = g f(x)\n", "", "before", "after");
  for (size_t k = 0; k < errors.after.size(); ++k) {
    const SymmetryErrors &b = errors.before[k], &a = errors.after[k];
    if (!a.measured) continue;
    const bool wide = a.has_float64 && b.has_float64;
    std::printf("  %-12s  %12.1e  %12.1e   %s%s\n", audit::to_string(a.part),
                wide ? b.float64.max : b.float32.max, wide ? a.float64.max : a.float32.max,
                wide ? "float64" : "float32", a.claimed ? "" : ", not asked for");
  }
  if (std::any_of(errors.after.begin(), errors.after.end(), [](auto& e) { return e.vanishes; }))
    std::printf("  Its average over %s is zero: choose another --out or a smaller group.\n",
                command.options.call.group.c_str());
  const int64_t lost_before = errors.before.front().not_finite();
  const int64_t lost_after = errors.after.front().not_finite();
  if (lost_before + lost_after > 0)
    std::printf(
        "  Answers are NaN or infinite, to %lld of its inputs before and %lld after: no error can "
        "be told. Try it on inputs it is made for, with --input.\n",
        static_cast<long long>(lost_before), static_cast<long long>(lost_after));
  std::printf("wrote %s\n", text::printable(command.out.string()).c_str());
  std::fflush(stdout);
}

void run(WrapCommand& command) {
  WrapOptions& options = command.options;
  require_writable(command.out);
  options.call = typed_call(command.call, "wrap");
  if (!command.max_memory.empty())
    options.max_bytes = text::parse_memory_size(command.max_memory, "--max-memory");
  for (const std::string& shape : command.shapes) read_shape(shape, options);
  for (const std::string& input : command.inputs) read_input(input, options);
  const ScriptModel bare = ScriptModel::load(command.model);
  const WrappedModel wrapped = wrap(bare, options);
  const Comparison errors = compare(bare, wrapped, options);
  const ordered_json card = card_of(command, wrapped, errors);
  save_script(command.out, wrapped.model, card.dump(2));
  if (command.json)
    std::cout << card.dump(2) << '\n';
  else
    print(command, wrapped, errors);
}

}  // namespace

void add_wrap(CLI::App& app) {
  const auto command = std::make_shared<WrapCommand>();
  WrapOptions& options = command->options;
  CLI::App* wrap = app.add_subcommand("wrap", "Make a TorchScript model equivariant, as a file");
  wrap->add_option("model", command->model, "a TorchScript file, scripted or traced")->required();
  wrap->add_option("-o,--output", command->out, "the file to write")->required();
  add_call_options(*wrap, command->call);
  wrap->add_option("--frame", options.frame,
                   "pca(degenerate=minimal) (usual), pca, minimal, sampled(k=1, base=pca); S_n: "
                   "sorted (usual), sampled(k=8)");
  wrap->add_option("--train-frame", options.train_frame,
                   "another one in train(), such as sampled(k=1)");
  wrap->add_option("--max-memory", command->max_memory,
                   "about what the copies may take at a time, such as 500MB");
  wrap->add_flag("--operators", options.operators,
                 "frames by libequiframe.so, faster; the file then needs the library loaded");
  wrap->add_option("--nodes", options.nodes, "nodes of the random input it is tried on")
      ->check(CLI::PositiveNumber);
  wrap->add_option("--shape", command->shapes,
                   "NAME=3,16,16,4: the shape of an argument that is not [batch, node, channel]");
  wrap->add_option("--input", command->inputs,
                   "NAME=FILE.npy: what it is tried on for an argument that cannot be random");
  wrap->add_flag("--json", command->json, "print the card as JSON");
  wrap->callback([command] { run(*command); });
}

}  // namespace equiframe::app
