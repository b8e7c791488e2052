#include "solids_helper/random_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Standard_Failure.hxx>

#include "solids_helper/features.h"
#include "solids_helper/solid_facts.h"

namespace equiframe::cad {
namespace {

constexpr size_t kMaxFaces = 120;
constexpr int kTries = 3, kMaxKept = 5;

/// In the order in which a draughtsman works: round the body and hollow it out, add and cut, drill,
/// and dress the edges.
struct Operation {
  const char* name;
  int stage;
  double weight;
  Body (*apply)(const TopoDS_Shape& solid, RandomDraws& draws);
};

constexpr std::array<Operation, 12> kOperations{{{"early fillet", 0, 6, fillet},
                                                 {"shell", 1, 16, shell},
                                                 {"combine", 2, 16, combine},
                                                 {"boss", 2, 7, boss},
                                                 {"rib", 2, 9, rib},
                                                 {"slice", 2, 6, slice},
                                                 {"drill", 3, 14, drill},
                                                 {"pocket", 3, 9, pocket},
                                                 {"linear pattern", 3, 8, linear_pattern},
                                                 {"circular pattern", 3, 8, circular_pattern},
                                                 {"fillet", 4, 16, fillet},
                                                 {"chamfer", 4, 10, chamfer}}};

const Operation& random_operation(RandomDraws& draws) {
  double all = 0;
  for (const Operation& operation : kOperations) all += operation.weight;
  double left = draws.uniform() * all;
  for (const Operation& operation : kOperations)
    if ((left -= operation.weight) < 0) return operation;
  return kOperations.back();
}

std::vector<const Operation*> random_plan(RandomDraws& draws) {
  std::vector<const Operation*> plan;
  for (int64_t k = draws.whole(2, 6); k > 0; --k) plan.push_back(&random_operation(draws));
  std::stable_sort(plan.begin(), plan.end(),
                   [](const Operation* a, const Operation* b) { return a->stage < b->stage; });
  return plan;
}

/// Whether an operation did something and left something.
bool is_worth_it(double before, double after) {
  constexpr double kMinChange = 2e-4, kMinLeft = 0.03, kMax = 4;
  return std::abs(after - before) > kMinChange * before && after > kMinLeft * before &&
         after < kMax * before;
}

struct Draft {
  SoundSolid solid;
  std::string recipe;
};

std::optional<Draft> attempt(const Operation& operation, const Draft& draft, RandomDraws& draws) {
  try {
    const Body result = operation.apply(draft.solid.shape, draws);
    if (result.shape.IsNull()) return std::nullopt;
    const auto solid = sound_solid(result.shape);
    if (!solid || faces_of(solid->shape).size() > kMaxFaces) return std::nullopt;
    if (!is_worth_it(draft.solid.volume, solid->volume)) return std::nullopt;
    return Draft{*solid, draft.recipe + "; " + result.name};
  } catch (const Standard_Failure&) {
    return std::nullopt;
  }
}

std::optional<Draft> random_start(RandomDraws& draws) try {
  const Body body = random_body(draws);
  const auto solid = sound_solid(body.shape);
  if (!solid) return std::nullopt;
  return Draft{*solid, body.name};
} catch (const Standard_Failure&) {
  return std::nullopt;
}

}  // namespace

std::optional<Body> random_model(RandomDraws& draws, const Watch& watch) {
  const auto note = [&](const char* operation, bool kept) {
    if (watch) watch(operation, kept);
  };
  std::optional<Draft> draft = random_start(draws);
  note("body", draft.has_value());
  if (!draft) return std::nullopt;
  int kept = 0;
  for (const Operation* operation : random_plan(draws)) {
    if (kept == kMaxKept) break;
    for (int k = 0; k < kTries; ++k) {
      RandomDraws own = draws.branch();
      const auto changed = attempt(*operation, *draft, own);
      note(operation->name, changed.has_value());
      if (!changed) continue;
      draft = changed;
      ++kept;
      break;
    }
  }
  if (kept == 0) return std::nullopt;
  return Body{draft->solid.shape, draft->recipe};
}

}  // namespace equiframe::cad
