#include <torch/types.h>

#include "models/clouds/framed_normals.h"
#include "models/clouds/pointnet_body.h"

namespace equiframe::inline models {
namespace {

/// FA-PointNet of Table 1: PointNet without its T-Nets, which a frame makes unnecessary, averaged
/// over the frame of the cloud. For its options see FramedNormals.
class FaPointNet final : public FramedNormalModel {
 public:
  explicit FaPointNet(const Options& options)
      : FramedNormalModel(
            "fa-pointnet", options,
            rows_backbone(std::make_shared<PointNetBody>(3, PointNetBody::kPublished))) {}
};

const bool kFaPointnetRegistered = Models::instance().add(
    "fa-pointnet", "normals: PointNet without transforms, averaged over a frame",
    [](const Options& options) { return std::make_unique<FaPointNet>(options); });

}  // namespace
}  // namespace equiframe::inline models
