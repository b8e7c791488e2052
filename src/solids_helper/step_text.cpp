#include "solids_helper/step_text.h"

#include <sstream>

#include <APIHeaderSection_MakeHeader.hxx>
#include <STEPControl_Reader.hxx>
#include <STEPControl_Writer.hxx>
#include <Standard_Failure.hxx>
#include <StepBasic_Product.hxx>
#include <StepData_Protocol.hxx>
#include <StepData_StepModel.hxx>
#include <StepData_StepWriter.hxx>
#include <TCollection_HAsciiString.hxx>

namespace equiframe::cad {
namespace {

Handle(TCollection_HAsciiString) name() {
  return new TCollection_HAsciiString("random solid");
}

/// The writer names products by the number of those it wrote before.
void rename_products(const Handle(StepData_StepModel) & model) {
  for (int k = 1; k <= model->NbEntities(); ++k) {
    const auto product = Handle(StepBasic_Product)::DownCast(model->Value(k));
    if (product.IsNull()) continue;
    product->SetId(name());
    product->SetName(name());
  }
}

}  // namespace

std::string step_text(const TopoDS_Shape& shape) {
  STEPControl_Writer writer;
  if (writer.Transfer(shape, STEPControl_AsIs) != IFSelect_RetDone)
    throw Standard_Failure("STEP cannot hold this solid");
  const Handle(StepData_StepModel) model = writer.Model();
  APIHeaderSection_MakeHeader header(model);
  header.SetTimeStamp(new TCollection_HAsciiString("1970-01-01T00:00:00"));
  header.SetName(name());
  header.Apply(model);
  rename_products(model);
  StepData_StepWriter text(model);
  text.SendModel(Handle(StepData_Protocol)::DownCast(model->Protocol()));
  std::ostringstream stream;
  if (!text.Print(stream)) throw Standard_Failure("STEP text");
  return stream.str();
}

TopoDS_Shape read_step(const std::string& file) {
  STEPControl_Reader reader;
  if (reader.ReadFile(file.c_str()) != IFSelect_RetDone)
    throw Standard_Failure("it is no STEP file");
  if (reader.TransferRoots() < 1) throw Standard_Failure("it holds no shape");
  return reader.OneShape();
}

}  // namespace equiframe::cad
