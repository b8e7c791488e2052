#pragma once

#include <string>

#include <TopoDS_Shape.hxx>

namespace equiframe::cad {

/// The shape as the text of a STEP file. Equal shapes give equal texts: the date is not in it.
std::string step_text(const TopoDS_Shape& shape);

/// All shapes of a STEP file. Throws Standard_Failure that says what is wrong with it.
TopoDS_Shape read_step(const std::string& file);

}  // namespace equiframe::cad
