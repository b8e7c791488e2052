#include "datasets/graphs/cnf_formula.h"

#include <algorithm>
#include <map>
#include <utility>

#include <c10/util/StringUtil.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"

namespace equiframe::inline datasets {
namespace {

constexpr int64_t kMaxVariables = 24;

/// Edges of a formula's graph, node numbers given by the caller.
class FormulaGraph {
 public:
  int64_t add_node(int64_t type) {
    graph_.types.push_back(type);
    return graph_.nodes++;
  }
  std::vector<int64_t> add_nodes(int64_t type, int64_t count) {
    std::vector<int64_t> nodes;
    for (int64_t k = 0; k < count; ++k) nodes.push_back(add_node(type));
    return nodes;
  }
  void join(int64_t u, int64_t v) {
    graph_.edges.push_back({static_cast<int32_t>(u), static_cast<int32_t>(v)});
  }
  SimpleGraph finish(int64_t label) {
    graph_.label = label;
    tidy(graph_);
    return std::move(graph_);
  }

 private:
  SimpleGraph graph_;
};

constexpr int64_t kClause = 0, kLiteral = 1;

/// The literals of consecutive variables: positive ones, then negative ones.
struct Literals {
  std::vector<int64_t> positive, negative;
};

Literals add_literals(FormulaGraph& graph, int64_t count) {
  Literals literals{graph.add_nodes(kLiteral, count), {}};
  literals.negative = graph.add_nodes(kLiteral, count);
  for (int64_t v = 0; v < count; ++v) graph.join(literals.positive[v], literals.negative[v]);
  return literals;
}

void add_base(FormulaGraph& graph, const Formula& base) {
  const Literals literals = add_literals(graph, base.variables);
  for (const auto& literals_of : base.clauses) {
    const int64_t clause = graph.add_node(kClause);
    for (const int64_t literal : literals_of)
      graph.join(clause, (literal % 2 == 0 ? literals.positive : literals.negative)[literal / 2]);
  }
}

/// Clauses (not x_i or x_{i + step}) around a cycle of variables.
void add_cycle(FormulaGraph& graph, const Literals& x, int64_t step) {
  const auto length = static_cast<int64_t>(x.positive.size());
  for (int64_t i = 0; i < length; ++i) {
    const int64_t clause = graph.add_node(kClause);
    graph.join(clause, x.negative[i]);
    graph.join(clause, x.positive[(i + step + length) % length]);
  }
}

/// x_a differs from x_{2h - 1 - a}.
void add_bridges(FormulaGraph& graph, const Literals& x) {
  const auto count = static_cast<int64_t>(x.positive.size());
  for (int64_t a = 0; a < count / 2; ++a) {
    for (const auto* side : {&x.positive, &x.negative}) {
      const int64_t clause = graph.add_node(kClause);
      graph.join(clause, (*side)[a]);
      graph.join(clause, (*side)[count - 1 - a]);
    }
  }
}

void add_core(FormulaGraph& graph, Core core, int64_t h) {
  if (core == Core::kUnsatisfiable) {
    const Literals x = add_literals(graph, 2 * h);
    add_cycle(graph, x, 1);
    return add_bridges(graph, x);
  }
  Literals x = add_literals(graph, h);
  add_cycle(graph, x, 1);
  const Literals second = add_literals(graph, h);
  add_cycle(graph, second, -1);
  x.positive.insert(x.positive.end(), second.positive.begin(), second.positive.end());
  x.negative.insert(x.negative.end(), second.negative.begin(), second.negative.end());
  add_bridges(graph, x);
}

/// Cuts a clause wider than 5 into pieces of 2 to 5 neighbours, side by side in the plane.
std::vector<std::vector<int64_t>> cut(const std::vector<int64_t>& clause, const Draw& draw) {
  constexpr int64_t kWidest = 5, kMin = 2;
  std::vector<std::vector<int64_t>> pieces;
  auto rest = static_cast<int64_t>(clause.size()), at = int64_t{0};
  while (rest > kWidest) {
    const int64_t most = std::min(kWidest, rest - kMin);
    const int64_t width = kMin + draw(most - kMin + 1);
    pieces.emplace_back(clause.begin() + at, clause.begin() + at + width);
    at += width, rest -= width;
  }
  pieces.emplace_back(clause.begin() + at, clause.end());
  return pieces;
}

/// The signs of a variable's edges, negative ones side by side: split into two joined literals it
/// stays in the plane. As many are negative as of fair coins.
std::map<int64_t, int64_t> signs_around(const std::vector<int64_t>& clauses, const Draw& draw) {
  const auto degree = static_cast<int64_t>(clauses.size());
  int64_t negative = 0;
  for (int64_t k = 0; k < degree; ++k) negative += draw(2);
  const int64_t start = draw(degree);
  std::map<int64_t, int64_t> sign;
  for (int64_t k = 0; k < degree; ++k) sign[clauses[(start + k) % degree]] = k < negative ? 1 : 0;
  return sign;
}

Formula random_planar_formula(int64_t nodes, const Draw& draw) {
  const PlanarMap map = PlanarMap::random(nodes, draw);
  int64_t ones = 0;
  for (int64_t u = 0; u < nodes; ++u) ones += map.colour(u);
  const int clause_colour = 2 * ones <= nodes ? 1 : 0;  // the smaller class
  Formula formula;
  std::map<int64_t, int64_t> variable;
  std::map<int64_t, std::map<int64_t, int64_t>> sign;  // of [variable node][clause node]
  for (int64_t u = 0; u < nodes; ++u) {
    if (map.colour(u) == clause_colour) continue;
    variable[u] = formula.variables++;
    sign[u] = signs_around(map.around(u), draw);
  }
  for (int64_t u = 0; u < nodes; ++u) {
    if (map.colour(u) != clause_colour) continue;
    for (const auto& piece : cut(map.around(u), draw)) {
      std::vector<int64_t> clause;
      clause.reserve(piece.size());
      for (const int64_t v : piece) clause.push_back(2 * variable[v] + sign[v][u]);
      std::sort(clause.begin(), clause.end());
      if (std::find(formula.clauses.begin(), formula.clauses.end(), clause) ==
          formula.clauses.end())
        formula.clauses.push_back(std::move(clause));
    }
  }
  return formula;
}

}  // namespace

bool satisfiable(const Formula& formula) {
  if (formula.variables > kMaxVariables)
    throw UserError(c10::str("a part of the formula has ", formula.variables,
                             " variables; at most ", kMaxVariables, " are tried out"));
  std::vector<std::array<uint32_t, 2>> clauses;  // variables that must be true, or false
  for (const auto& literals : formula.clauses) {
    std::array<uint32_t, 2> mask{};
    for (const int64_t literal : literals)
      mask[literal % 2] |= 1U << static_cast<uint32_t>(literal / 2);
    clauses.push_back(mask);
  }
  for (uint32_t truth = 0; truth < 1U << static_cast<uint32_t>(formula.variables); ++truth) {
    if (std::all_of(clauses.begin(), clauses.end(), [=](const auto& mask) {
          return (mask[0] & truth) != 0 || (mask[1] & ~truth) != 0;
        }))
      return true;
  }
  return false;
}

Formula formula_of(const SimpleGraph& graph) {
  const auto fail = [](const std::string& what) {
    throw UserError("the graph is no formula: " + what);
  };
  if (static_cast<int64_t>(graph.types.size()) != graph.nodes)
    fail("its nodes have no types (0 = clause, 1 = literal)");
  Formula formula;
  std::vector<int64_t> literal(static_cast<size_t>(graph.nodes), -1), clause = literal;
  for (int64_t u = 0; u < graph.nodes; ++u) {
    if (graph.types[u] != kClause && graph.types[u] != kLiteral)
      fail(c10::str("node ", u, " has type ", graph.types[u]));
    if (graph.types[u] == kClause) {
      clause[u] = static_cast<int64_t>(formula.clauses.size());
      formula.clauses.emplace_back();
    }
  }
  for (const auto& [u, v] : graph.edges) {
    if (graph.types[u] != kLiteral || graph.types[v] != kLiteral) continue;
    if (literal[u] >= 0 || literal[v] >= 0)
      fail(c10::str("literal ", literal[u] >= 0 ? u : v, " has two negations"));
    literal[u] = 2 * formula.variables;
    literal[v] = 2 * formula.variables++ + 1;
  }
  for (const auto& [u, v] : graph.edges) {
    if (graph.types[u] == graph.types[v]) {
      if (graph.types[u] == kClause) fail(c10::str("clauses ", u, " and ", v, " are joined"));
      continue;
    }
    const bool first = graph.types[u] == kClause;
    formula.clauses[clause[first ? u : v]].push_back(literal[first ? v : u]);
  }
  for (int64_t u = 0; u < graph.nodes; ++u)
    if (graph.types[u] == kLiteral && literal[u] < 0)
      fail(c10::str("literal ", u, " has no negation"));
  return formula;
}

bool satisfiable(const SimpleGraph& graph) {
  const std::vector<int64_t> part = components(graph);
  const int64_t parts = part.empty() ? 0 : 1 + *std::max_element(part.begin(), part.end());
  for (int64_t k = 0; k < parts; ++k) {
    SimpleGraph alone;
    std::map<int32_t, int32_t> number;
    for (int64_t u = 0; u < graph.nodes; ++u) {
      if (part[u] != k) continue;
      number[static_cast<int32_t>(u)] = static_cast<int32_t>(alone.nodes++);
      if (!graph.types.empty()) alone.types.push_back(graph.types[u]);
    }
    for (const auto& [u, v] : graph.edges)
      if (part[u] == k) alone.edges.push_back({number[u], number[v]});
    if (!satisfiable(formula_of(alone))) return false;
  }
  return true;
}

Formula planar_formula(int64_t nodes, const Draw& draw) {
  while (true) {
    Formula formula = random_planar_formula(nodes, draw);
    if (satisfiable(formula)) return formula;
  }
}

SimpleGraph graph_of(const Formula& base, Core core, int64_t h) {
  FormulaGraph graph;
  add_base(graph, base);
  add_core(graph, core, h);
  return graph.finish(core == Core::kSatisfiable ? 1 : 0);
}

}  // namespace equiframe::inline datasets
