#include "experiments/normals/contact_sheet.h"

#include <algorithm>

#include "experiments/normals/mesh_picture.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

constexpr int64_t kPixels = 132;
constexpr double kCell = 150, kCaption = 18, kMargin = 24, kTitle = 40;
constexpr size_t kLetters = 30;

/// What fits below a picture.
std::string shortened(const std::string& text) {
  if (text.size() <= kLetters) return text;
  return text.substr(0, text.find_last_not_of(" ;,", kLetters - 2) + 1) + "…";
}

}  // namespace

report::Svg contact_sheet(const std::string& title, const std::vector<SheetModel>& models,
                          int64_t columns) {
  const auto count = static_cast<int64_t>(models.size());
  columns = std::clamp<int64_t>(columns, 1, std::max<int64_t>(count, 1));
  const int64_t rows = (count + columns - 1) / columns;
  report::Svg sheet({2 * kMargin + kCell * static_cast<double>(columns),
                     kTitle + kMargin + (kCell + kCaption) * static_cast<double>(rows)},
                    title);
  sheet.text({kMargin, kTitle - 12}, title,
             {report::Colour::kInk, 16, report::Anchor::kStart, report::Weight::kBold});
  const double inset = (kCell - static_cast<double>(kPixels)) / 2;
  for (int64_t k = 0; k < count; ++k) {
    const SheetModel& model = models[static_cast<size_t>(k)];
    const report::Point corner{kMargin + kCell * static_cast<double>(k % columns),
                               kTitle + (kCell + kCaption) * static_cast<double>(k / columns)};
    sheet.picture({corner.x + inset, corner.y + inset}, 1, mesh_picture(model.mesh, kPixels),
                  model.caption);
    sheet.text({corner.x + kCell / 2, corner.y + kCell + 4}, shortened(model.caption),
               {report::Colour::kMuted, 8.5, report::Anchor::kMiddle});
  }
  return sheet;
}

}  // namespace equiframe::inline experiments
