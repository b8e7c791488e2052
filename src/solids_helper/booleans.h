#pragma once

#include <vector>

#include <TopoDS_Shape.hxx>
#include <gp_Ax2.hxx>

namespace equiframe::cad {

enum class Boolean { kFuse, kCut, kCommon };

/// The solid with all the tools added or removed, or what it has in common with them. What is added
/// flush becomes one face with its neighbour. Throws Standard_Failure.
TopoDS_Shape combined(Boolean operation, const TopoDS_Shape& solid,
                      const std::vector<TopoDS_Shape>& tools);

/// A shape made at the origin, moved so that its axes are those of the frame.
TopoDS_Shape placed(const TopoDS_Shape& shape, const gp_Ax2& frame);

}  // namespace equiframe::cad
