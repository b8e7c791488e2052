#include "solids_helper/booleans.h"

#include <memory>

#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <Standard_Failure.hxx>
#include <TopTools_ListOfShape.hxx>
#include <gp_Ax3.hxx>
#include <gp_Trsf.hxx>

namespace equiframe::cad {
namespace {

std::unique_ptr<BRepAlgoAPI_BooleanOperation> algorithm(Boolean operation) {
  switch (operation) {
    case Boolean::kFuse:
      return std::make_unique<BRepAlgoAPI_Fuse>();
    case Boolean::kCut:
      return std::make_unique<BRepAlgoAPI_Cut>();
    case Boolean::kCommon:
      break;
  }
  return std::make_unique<BRepAlgoAPI_Common>();
}

}  // namespace

TopoDS_Shape combined(Boolean operation, const TopoDS_Shape& solid,
                      const std::vector<TopoDS_Shape>& tools) {
  TopTools_ListOfShape arguments, others;
  arguments.Append(solid);
  for (const TopoDS_Shape& tool : tools) others.Append(tool);
  const auto boolean = algorithm(operation);
  boolean->SetArguments(arguments);
  boolean->SetTools(others);
  boolean->SetRunParallel(Standard_False);
  boolean->SetUseOBB(Standard_True);
  boolean->Build();
  if (!boolean->IsDone() || boolean->HasErrors()) throw Standard_Failure("boolean operation");
  if (operation == Boolean::kFuse) boolean->SimplifyResult();
  return boolean->Shape();
}

TopoDS_Shape placed(const TopoDS_Shape& shape, const gp_Ax2& frame) {
  gp_Trsf move;
  move.SetTransformation(gp_Ax3(frame), gp_Ax3(gp::XOY()));
  return BRepBuilderAPI_Transform(shape, move, Standard_True);
}

}  // namespace equiframe::cad
