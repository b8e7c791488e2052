#include "equiframe/audit/audit.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <torch/types.h>

#include "commands.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/bytes/atomic_file.h"
#include "progress.h"
#include "typed_call_options.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

struct AuditCommand {
  std::string model;
  CallWords call;
  std::vector<std::string> inputs;  // NAME=FILE.npy
  fs::path data;
  std::string require;
  fs::path report;
  audit::AuditOptions options;
  bool json = false;
};

/// What the user said; files of ours say the rest themselves.
TypedCall call_of(const CallWords& words) {
  TypedCall call;
  call.group = words.group;
  call.in.reserve(words.in.size());
  call.out.reserve(words.out.size());
  for (const std::string& text : words.in) call.in.push_back(parse_typed_argument(text));
  for (const std::string& text : words.out) call.out.push_back(parse_typed_argument(text));
  call.mask = words.mask;
  call.batch_axis = words.batch_axis;
  call.point_axis = words.point_axis;
  return call;
}

/// "edges=edges.npy" as the example of that argument; "cloud.npy" of the first.
void give_inputs(audit::Subject& subject, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  const auto& slots = subject.typing().in;
  std::vector<Tensor> example(slots.size());
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const std::string name = equals == std::string::npos ? "" : text.substr(0, equals);
    size_t slot = 0;
    while (!name.empty() && slot < slots.size() && slots[slot].name != name) ++slot;
    if (slot == slots.size())
      throw UserError(c10::str("--input names '", name,
                               "', but no --in has that name; write --in \"", name, "=TYPE\""));
    const Tensor x = read_npy(equals == std::string::npos ? text : text.substr(equals + 1));
    example[slot] = subject.to_example(slots[slot], x);
  }
  subject.set_example(example);
}

audit::AuditResult measure(AuditCommand& command) {
  const auto subject = audit::open_subject(command.model, call_of(command.call));
  give_inputs(*subject, command.inputs);
  if (!command.data.empty())
    command.options.data = audit::read_items(command.data, subject->typing());
  ProgressBar bar("audit");
  command.options.progress = [&](double done, const std::string& what) { bar.update(done, what); };
  return audit::audit(*subject, command.options);
}

void run(AuditCommand& command) {
  const auto required = audit::parse_requirements(command.require);
  if (!command.report.empty()) require_writable(command.report);
  const audit::AuditResult result = measure(command);
  const std::vector<std::string> unmet = audit::unmet(result, required);
  if (!command.report.empty()) write_file_atomically(command.report, audit::to_html(result));
  if (command.json) {
    std::cout << audit::to_json(result, unmet) << '\n';
  } else {
    std::cout << audit::to_text(result);
    for (const std::string& sentence : unmet) std::cout << "required: " << sentence << '\n';
    if (!command.report.empty())
      std::cout << "wrote " << text::printable(command.report.string()) << '\n';
  }
  if (!unmet.empty()) set_exit_code(kExitCheckFailed);
}

}  // namespace

void add_audit(CLI::App& app) {
  const auto command = std::make_shared<AuditCommand>();
  CLI::App* sub = app.add_subcommand(
      "audit", "Measure the symmetry of any model, and say what is wrong with it");
  sub->add_option("model", command->model,
                  "a TorchScript file, a .safetensors model, or LIB.so:MODELFILE with the "
                  "interface of equiframe.h")
      ->required();
  add_call_options(*sub, command->call);
  audit::MeasureOptions& measure_options = command->options.measure;
  sub->add_option("--points", measure_options.points, "nodes of the random inputs")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  sub->add_option("--items", measure_options.items, "random inputs")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  sub->add_option("--draws", measure_options.draws, "group elements for each of them")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  sub->add_option("--order", command->options.angular_order, "highest angular order")
      ->capture_default_str()
      ->check(CLI::Range(1, 12));
  sub->add_option("--seed", measure_options.seed, "of the random inputs and motions")
      ->capture_default_str();
  sub->add_option(
      "--input", command->inputs,
      "NAME=FILE.npy [items, ...]: inputs to measure on instead of random ones; of untouched "
      "arguments what to pass");
  sub->add_option("--data", command->data,
                  "your inputs, for a census of degenerate ones: .npy [items, N, C], or a folder "
                  "of point files");
  sub->add_option("--require", command->require,
                  "such as \"rotation, translation<1e-5, permutation\"; exit 1 if it does not "
                  "hold; also gradient, batch, continuity, hard, all, sound");
  sub->add_option("-o,--output,--report", command->report, "a page to look at, .html");
  sub->add_flag("--json", command->json, "print JSON");
  sub->callback([command] { run(*command); });
}

}  // namespace equiframe::app
