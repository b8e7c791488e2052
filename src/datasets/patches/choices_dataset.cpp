#include <utility>

#include <ATen/ATen.h>

#include "datasets/patches/choice_set.h"
#include "equiframe/core/error.h"
#include "equiframe/datasets/dataset.h"
#include "io/bytes/checksum.h"

namespace equiframe::inline datasets {
namespace {

/// One sample is some points of one cloud, rows as the model `normal-choice` takes them, and their
/// normals; `Batch::id` is the cloud.
class Choices final : public Dataset {
 public:
  explicit Choices(ChoiceSet set) : set_(std::move(set)) {}

  int64_t size() const override { return set_.rows.size(0); }

  Example get(const Tensor& indices) const override {
    const Tensor rows = set_.rows.index_select(0, indices);  // [B, Q, C]
    Batch input(rows.flatten(0, 1).unsqueeze(1));
    input.id = indices.repeat_interleave(rows.size(1));
    return {input, set_.normals.index_select(0, indices).flatten(0, 1)};
  }

 private:
  ChoiceSet set_;
};

class ChoiceSource final : public SplitSource {
 public:
  Splits load(const DataRequest& request) const override {
    const Options& options = request.options;
    if (request.folder.empty())
      throw UserError(
          "dataset choices: give the folder of a set made by 'equiframe data choices' with "
          "--data");
    const int64_t valid = options.get_int("valid", 100), test = options.get_int("test", 100);
    options.refuse_unread("dataset choices");
    const ChoiceSet set = read_choices(request.folder);
    const int64_t train = set.rows.size(0) - valid - test;
    if (train < 1 || valid < 1 || test < 1)
      throw UserError(c10::str("dataset choices: valid = ", valid, " and test = ", test, " of ",
                               set.rows.size(0), " clouds; leave one or more for each part"));
    const auto part = [&](int64_t first, int64_t count) {
      return std::make_shared<Choices>(ChoiceSet{
          set.rows.narrow(0, first, count), set.normals.narrow(0, first, count), set.description});
    };
    return {part(0, train), part(train, valid), part(train + valid, test),
            sha256(sha256(set.rows) + sha256(set.normals)),
            c10::str(set.rows.size(1), " points of each of ", train, "/", valid, "/", test,
                     " clouds; ", set.description)};
  }
};

const bool kChoicesRegistered = Datasets::instance().add(
    "choices", "points of noisy clouds with several normals each, from 'equiframe data choices'",
    [] { return std::make_unique<ChoiceSource>(); });

}  // namespace
}  // namespace equiframe::inline datasets
