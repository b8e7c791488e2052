#include "typed_call_options.h"

#include <CLI/CLI.hpp>

#include "equiframe/core/error.h"

namespace equiframe::app {

void add_call_options(CLI::App& command, CallWords& words) {
  command.add_option("--group", words.group, "T, O, SO, E or SE of a dimension, like E3; or S_n");
  command.add_option("--in", words.in,
                     "the type of an argument, \"point + 2 scalar\" or \"x=point\"; again for "
                     "each of several; NAME=untouched passes one through");
  command.add_option("--out", words.out,
                     "the type of the result, or of each part of a tuple; the file to write is -o");
  command.add_option("--mask", words.mask,
                     "the argument that says which nodes are real, bool [B, N]");
  command.add_option("--batch-axis", words.batch_axis, "of the tensors; -1 = they have none");
  command.add_option("--point-axis", words.point_axis, "of the tensors; [B, C, N] has it at 2");
}

TypedCall typed_call(const CallWords& words, const std::string& command) {
  if (words.group.empty() || words.in.empty() || words.out.empty())
    throw UserError("say how the model transforms, for example: equiframe " + command +
                    " MODEL.pt --group E3 --in \"point + vector\" --out vector");
  TypedCall call;
  call.group = words.group;
  for (const std::string& text : words.in) call.in.push_back(parse_typed_argument(text));
  for (const std::string& text : words.out) call.out.push_back(parse_typed_argument(text));
  call.mask = words.mask;
  call.batch_axis = words.batch_axis;
  call.point_axis = words.point_axis;
  return call;
}

}  // namespace equiframe::app
