#pragma once

#include <string>
#include <utility>
#include <vector>

#include "demo_measure.h"
#include "report/svg.h"
#include "report/table.h"

/// The demo's measurements as things to look at.
namespace equiframe::app {

struct DemoResults {
  std::vector<DemoRow> rows;
  SamplingCurve sampling;
  DemoPicture picture;

  bool pass() const;
};

report::Table demo_table(const std::vector<DemoRow>& rows);

/// Both panels in one drawing, for a README.
report::Svg demo_picture(const DemoPicture& picture);

/// `provenance`: where the numbers come from, as named facts.
std::string demo_page(const DemoResults& results,
                      const std::vector<std::pair<std::string, std::string>>& provenance);

}  // namespace equiframe::app
