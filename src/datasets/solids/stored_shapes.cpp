#include "datasets/solids/stored_shapes.h"

#include <ATen/ATen.h>

#include "datasets/solids/solids.h"
#include "equiframe/core/error.h"
#include "io/bytes/checksum.h"

namespace equiframe::inline datasets {
namespace {

std::vector<std::string> kinds_of(const Options& options, const char* usual) {
  const std::string text = options.get("kinds", usual);
  if (text == "auto") return {solids_available() ? "solids" : "organic"};
  const size_t plus = text.find('+');
  if (plus == std::string::npos) return {text};
  return {text.substr(0, plus), text.substr(plus + 1)};
}

CadSet find_set(const DataRequest& request, const ShapeCounts& usual, int64_t models,
                const std::string& who) {
  const Options& options = request.options;
  if (!request.folder.empty()) {
    options.refuse_unread(who + " from the folder '" + request.folder.string() + "'");
    return read_cad(request.folder);
  }
  CadOptions wanted;
  wanted.models = models;
  wanted.points = options.get_int("stored", usual.stored);
  wanted.kinds = kinds_of(options, usual.kinds);
  wanted.seed = static_cast<uint64_t>(options.get_int("seed", 1));
  options.refuse_unread(who);
  const auto progress = [&](int64_t done) {
    if (request.progress)
      request.progress(static_cast<double>(done) / static_cast<double>(models),
                       c10::str("making shapes, ", done, " of ", models));
  };
  return cached_cad(wanted, {.progress = progress});
}

}  // namespace

StoredShapes stored_shapes(const DataRequest& request, const ShapeCounts& usual,
                           const std::string& who) {
  StoredShapes shapes;
  const Options& options = request.options;
  shapes.train = options.get_int("train", usual.train);
  shapes.valid = options.get_int("valid", usual.valid);
  shapes.test = options.get_int("test", usual.test);
  if (shapes.train < 1 || shapes.valid < 1 || shapes.test < 1)
    throw UserError(who + ": train, valid and test need at least one shape each");
  const int64_t models = shapes.train + shapes.valid + shapes.test;
  shapes.set = find_set(request, usual, models, who);
  const int64_t there = shapes.set.points.size(0);
  if (models > there)
    throw UserError(c10::str(who, ": train + valid + test = ", models, " shapes, but there are ",
                             there, "; lower them or make a larger set with 'equiframe data cad'"));
  shapes.checksum = sha256(sha256(shapes.set.points) + sha256(shapes.set.normals));
  return shapes;
}

}  // namespace equiframe::inline datasets
