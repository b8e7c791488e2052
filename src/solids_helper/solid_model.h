#pragma once

#include <memory>
#include <string>
#include <vector>

#include <TopoDS_Shape.hxx>
#include <gp_Pnt.hxx>

#include "datasets/shapes/random_draws.h"
#include "io/helper/solid_protocol.h"
#include "solids_helper/random_model.h"

namespace equiframe::cad {

/// A random solid, triangulated and ready to be asked. Seen from outside, its box is centred at the
/// origin and has the half diagonal 1. Any call may throw Standard_Failure.
class SolidModel {
 public:
  /// Nothing where these draws lead to no solid that holds water and can be sampled.
  static std::unique_ptr<SolidModel> make(uint64_t start, const Watch& watch = {});

  const std::string& recipe() const { return recipe_; }
  Samples sample(int64_t points, uint64_t start) const;
  Mesh mesh(double deflection) const;
  /// Of each of the points, three numbers a point, to the surface.
  std::vector<double> distance(const std::vector<double>& points) const;
  /// The text of a STEP file.
  std::string step() const;

 private:
  explicit SolidModel(const Body& body);

  /// To the coordinates of the outside, and from them.
  void normalise(std::vector<double>& points) const;
  gp_Pnt native(const std::vector<double>& points, size_t number) const;

  TopoDS_Shape solid_;
  gp_XYZ centre_{0, 0, 0};  ///< of the box, and half its diagonal
  double radius_ = 1;
  std::string recipe_;
};

}  // namespace equiframe::cad
