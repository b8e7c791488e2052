#include "core/text.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace equiframe::text {

std::string trim(std::string_view s) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!s.empty() && is_space(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && is_space(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return std::string(s);
}

std::vector<std::string> split(std::string_view s, char separator) {
  std::vector<std::string> pieces;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i <= s.size(); ++i) {
    if (i < s.size() && s[i] == '(') ++depth;
    if (i < s.size() && s[i] == ')') --depth;
    if (i < s.size() && (s[i] != separator || depth > 0)) continue;
    pieces.push_back(trim(s.substr(start, i - start)));
    start = i + 1;
  }
  return pieces;
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string result;
  for (const std::string& piece : pieces) {
    if (!result.empty()) result += separator;
    result += piece;
  }
  return result;
}

namespace {

/// Letters put in, left out, changed, or swapped with the next, that lead from one to the other.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// "--output" and "--out", "norm" and "normals"; not what two letters have in common.
bool is_beginning(std::string_view word, std::string_view candidate) {
  constexpr size_t kLetters = 4;
  return std::min(word.size(), candidate.size()) >= kLetters &&
         (word.starts_with(candidate) || candidate.starts_with(word));
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr size_t kShort = 3;  // letters of which two slips leave nothing
  std::string best;
  size_t best_distance = 1 + (word.size() <= kShort ? 1 : std::max<size_t>(2, word.size() / 3));
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  const auto longer = std::find_if(known.begin(), known.end(), [&](const std::string& candidate) {
    return is_beginning(word, candidate);
  });
  return longer == known.end() ? "" : *longer;
}

std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& known) {
  std::string message = "no " + std::string(kind) + " named '" + std::string(word) + "'";
  const std::string guess = nearest(word, known);
  if (!guess.empty()) message += "; did you mean '" + guess + "'?";
  return message + "; known: " + join(known);
}

}  // namespace equiframe::text
