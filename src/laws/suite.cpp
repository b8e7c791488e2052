#include "laws/suite.h"

#include <algorithm>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "equiframe/core/options.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/any_group.h"
#include "laws/suite_parts.h"

namespace equiframe::inline laws {

bool LawFilter::wants_frame(const std::string& call) const {
  return frame.empty() || frame == call || frame == Options::parse_call(call).first;
}

bool LawFilter::wants_dtype(c10::ScalarType type) const {
  return dtype.empty() || dtype == (type == c10::ScalarType::Float ? "float32" : "float64");
}

namespace {

void refuse_unknown(const LawFilter& filter) {
  if (!filter.group.empty()) parse_group(filter.group);
  const std::vector<std::string> types{"float64", "float32"};
  if (!filter.dtype.empty() && std::find(types.begin(), types.end(), filter.dtype) == types.end())
    throw UserError(text::unknown_name("dtype", filter.dtype, types));
  if (filter.frame.empty()) return;
  auto names = Frames<EuclideanGroup>::instance().names();
  for (const std::string& name : Frames<SymmetricGroup>::instance().names()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::string name = Options::parse_call(filter.frame).first;
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UserError(text::unknown_name("frame", name, names));
}

}  // namespace

void check_laws(const LawFilter& filter, const LawSink& sink) {
  refuse_unknown(filter);
  LawFilter named = filter;
  if (!filter.group.empty())
    named.group = std::visit([](const auto& g) { return g.name(); }, parse_group(filter.group));
  const torch::NoGradGuard no_gradients;
  int64_t measured = 0;
  const LawSink counted = [&](const LawResult& result) {
    ++measured;
    sink(result);
  };
  const Recorder recorder(named, counted);
  if (filter.frame.empty()) check_group_laws(recorder);
  check_euclidean_frames(recorder);
  check_finite_frames(recorder);
  check_permutation_frames(recorder);
  if (filter.frame.empty() && filter.group.empty()) check_theorems(recorder);
  if (measured == 0)
    throw UserError("no law is checked for " + named.group + " " + named.frame + " " + named.dtype +
                    "; run 'equiframe check' without options to see what is");
}

}  // namespace equiframe::inline laws
