// equiframe-cad: makes random solids for the library, which starts it and talks to it over standard
// input and output (data/solid_protocol.h). It ends with its input.
#include <memory>
#include <string>

#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Standard_Failure.hxx>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include "solids_helper/solid_facts.h"
#include "solids_helper/solid_model.h"
#include "solids_helper/step_text.h"
#include "solids_helper/surface_sampler.h"

namespace equiframe::cad {
namespace {

/// Of processor time for one operation. Then the system ends this process and the library goes on
/// with another model. Nearly all take less than a second, and the others an eternity.
constexpr int kMaxSeconds = 8;

void restart_clock() {
  const itimerval limit{{0, 0}, {kMaxSeconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

Packet answer_of(const SolidModel& model, const Request& request) {
  Packet packet;
  packet.put(Status::kDone);
  switch (request.command) {
    case Command::kRecipe:
      packet.put(model.recipe());
      break;
    case Command::kSample: {
      const Samples samples = model.sample(request.count, request.draw);
      packet.put(samples.points);
      packet.put(samples.normals);
      packet.put(samples.faces);
      packet.put(samples.edge_distance);
      break;
    }
    case Command::kMesh: {
      const Mesh mesh = model.mesh(request.deflection);
      packet.put(mesh.vertices);
      packet.put(mesh.normals);
      packet.put(mesh.triangles);
      break;
    }
    case Command::kDistance:
      packet.put(model.distance(request.points));
      break;
    case Command::kStep:
      packet.put(model.step());
      break;
    case Command::kReadStep:
      break;  // no model of ours: see `read`
  }
  return packet;
}

/// The triangles of a file, within a share of half its diagonal.
Packet read(const Request& request) {
  const TopoDS_Shape shape = read_step(request.file);
  if (!triangulate(shape, request.deflection * radius_of(shape)))
    throw Standard_Failure("its surfaces cannot be triangulated");
  const Mesh mesh = mesh_of(shape);
  Packet packet;
  packet.put(Status::kDone);
  packet.put(mesh.vertices);
  packet.put(mesh.normals);
  packet.put(mesh.triangles);
  return packet;
}

Packet failure(const std::string& reason) {
  Packet packet;
  packet.put(Status::kFailed);
  packet.put(reason);
  return packet;
}

/// The model that was asked for last.
class Memory {
 public:
  const SolidModel* model(uint64_t start) {
    if (!known_ || start != start_) {
      known_ = false;
      model_ = SolidModel::make(start, [](const char*, bool) { restart_clock(); });
      start_ = start;
      known_ = true;
    }
    return model_.get();
  }

 private:
  bool known_ = false;
  uint64_t start_ = 0;
  std::unique_ptr<SolidModel> model_;
};

Packet read_answer(const Request& request) {
  try {
    return read(request);
  } catch (const Standard_Failure& error) {
    return failure(error.GetMessageString());
  } catch (const std::exception& error) {
    return failure(error.what());
  }
}

Packet answer(Memory& memory, const Request& request) {
  if (request.command == Command::kReadStep) return read_answer(request);
  const SolidModel* model = nullptr;
  try {
    model = memory.model(request.start);
  } catch (const Standard_Failure&) {
  } catch (const std::exception&) {
  }
  if (model == nullptr) {
    Packet packet;
    packet.put(Status::kNoModel);
    return packet;
  }
  try {
    return answer_of(*model, request);
  } catch (const Standard_Failure& error) {
    return failure(error.GetMessageString());
  } catch (const std::exception& error) {
    return failure(error.what());
  }
}

/// Open CASCADE prints where it likes, so answers go out by a door of their own.
int private_output() {
  const int own = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  return own;
}

}  // namespace
}  // namespace equiframe::cad

int main() {
  using namespace equiframe::cad;
  const int output = private_output();
  Memory memory;
  std::string bytes;
  while (receive_message(STDIN_FILENO, bytes)) {
    restart_clock();
    if (!send_message(output, answer(memory, unpacked_request(Packet(bytes))).bytes())) break;
  }
  return 0;
}
