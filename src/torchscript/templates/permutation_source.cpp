#include "torchscript/templates/permutation_source.h"

#include "equiframe/core/error.h"
#include "equiframe/core/options.h"
#include "torchscript/templates/relabelling.py.h"
#include "torchscript/templates/sorting_frame.py.h"
#include "torchscript/templates/template.h"

namespace equiframe::inline torchscript {
bool is_permutation_group(const std::string& text) {
  if (text == "S_n" || text == "Sn" || text == "S(n)") return true;
  const size_t digits = text.find_first_of("0123456789");
  const std::string head = text.substr(0, digits);
  return digits != std::string::npos && (head == "S" || head == "S(" || head == "S_");
}

RelabelledType parse_relabelled_type(const std::string& text) {
  const size_t letters = text.find_first_not_of("0123456789 ");
  RelabelledType result;
  if (letters == 0 || letters == std::string::npos)
    result.type = PermutationType::parse(text);
  else
    result = {PermutationType::parse(text.substr(letters)), std::stoll(text.substr(0, letters))};
  return result;
}

std::string relabel_source(const std::string& name, const PermutationType& type) {
  const Words words{{"NAME__", name}, {"AXES__", std::to_string(type.node_axes())}};
  const bool moves = type.kind() != PermutationType::Kind::kSet;
  const Template file(embedded::kRelabellingPy);
  return file.fill({"into", moves ? "into order" : "into as it is", "back",
                    moves ? "back from order" : "back as it is"},
                   words);
}

std::string sorting_frame_source(const std::vector<RelabelledArgument>& inputs) {
  const Template file(embedded::kSortingFramePy);
  std::string names, colours, first;
  for (const RelabelledArgument& input : inputs) {
    names += (names.empty() ? "" : ", ") + input.name;
    if (input.type.kind() == PermutationType::Kind::kSet) continue;
    if (first.empty()) first = input.name;
    const bool pairs = input.type.kind() == PermutationType::Kind::kPair;
    colours += file.fill({pairs ? "pair" : "node"}, {{"NAME__", input.name}});
  }
  if (first.empty())
    throw UserError("S_n needs an argument with nodes: type one of them 'node' or 'pair'");
  const Words words{{"INPUTS__", names}, {"FIRST__", first}};
  return Template(embedded::kRelabellingPy).fill({"relabelled"}) + file.fill({"methods"}, words) +
         colours + file.fill({"end"}, words);
}

int64_t parse_sorting_draws(const std::string& call) {
  const auto [name, options] = Options::parse_call(call);
  if (name != "sorted" && name != "sampled")
    throw UserError("a model of S_n averages over 'sorted' or 'sampled(k=1)', not over '" + name +
                    "'");
  const int64_t draws = name == "sampled" ? options.get_int("k", 1) : 0;
  options.refuse_unread("frame '" + name + "'");
  if (name == "sampled" && draws < 1) throw UserError("frame 'sampled': k must be 1 or more");
  return draws;
}

}  // namespace equiframe::inline torchscript
