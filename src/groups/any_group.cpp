#include "equiframe/groups/any_group.h"

#include <cctype>

#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline groups {

const std::vector<GroupFamily>& group_families() {
  static const std::vector<GroupFamily> families{
      {"T(d)", "translations of R^d", "T(3)"},
      {"O(d)", "rotations and reflections of R^d about the origin", "O(3)"},
      {"SO(d)", "rotations of R^d about the origin", "SO(3)"},
      {"E(d)", "all isometries of R^d", "E(3)"},
      {"SE(d)", "rigid motions of R^d", "SE(3)"},
      {"S(n)", "permutations of n nodes", "S(6)"},
      {"C(n)", "rotations of the plane by multiples of 2 pi / n", "C(4)"},
      {"D(n)", "the symmetries of the regular n-gon", "D(6)"},
      {"flips(d)", "sign flips of the coordinate axes of R^d", "flips(3)"}};
  return families;
}

AnyGroup parse_group(const std::string& text) {
  std::string word;
  std::string digits;
  for (const char c : text::trim(text)) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isdigit(u) != 0)
      digits += c;
    else if (std::isalpha(u) != 0 && digits.empty())
      word += c;
    else if (c != '(' && c != ')' && c != '_' && c != ' ')
      word += c;
  }
  std::vector<std::string> known;
  for (const GroupFamily& family : group_families()) known.push_back(family.notation);
  if (digits.empty() || digits.size() > 9)
    throw UserError(text::unknown_name("group", text, known) + "; write a size, as in E(3)");
  const int64_t n = std::stoll(digits);
  if (word == "T") return EuclideanGroup::T(n);
  if (word == "O") return EuclideanGroup::O(n);
  if (word == "SO") return EuclideanGroup::SO(n);
  if (word == "E") return EuclideanGroup::E(n);
  if (word == "SE") return EuclideanGroup::SE(n);
  if (word == "S") return SymmetricGroup(n);
  if (word == "C") return PlanarGroup::C(n);
  if (word == "D") return PlanarGroup::D(n);
  if (word == "flips") return SignFlips(n);
  throw UserError(text::unknown_name("group", text, known));
}

}  // namespace equiframe::inline groups
