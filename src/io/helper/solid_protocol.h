// What the library and its helper program equiframe-cad say to each other over a socket. Free of
// LibTorch and of Open CASCADE: each side does without one of them.
//
// The helper is a process of its own because Open CASCADE at times crashes or goes on for ever, and
// because loading it would cost a third of a second at every start of every program.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace equiframe::cad {

enum class Command : uint32_t { kRecipe, kSample, kMesh, kDistance, kStep, kReadStep };
enum class Status : uint32_t {
  kDone,
  kNoModel,  ///< the draws lead to no solid that holds water
  kFailed    ///< the model is there, but what was asked for did not work; the text says why
};

/// `start` names the model, of all commands but kReadStep; the helper remembers the last one.
struct Request {
  Command command = Command::kRecipe;
  uint64_t start = 0;
  uint64_t draw = 0;                ///< kSample: start of the draws of points
  int64_t count = 0;                ///< kSample: how many
  double deflection = 0;            ///< kMesh, kReadStep: how far from the surface at most
  std::vector<double> points = {};  ///< kDistance: three numbers a point
  std::string file = {};            ///< kReadStep: the path
};

/// P points of a surface; `points` and `normals` hold three numbers for each.
struct Samples {
  std::vector<double> points, normals;
  std::vector<int64_t> faces;
  std::vector<double> edge_distance;
};

struct Mesh {
  std::vector<double> vertices, normals;
  std::vector<int64_t> triangles;
};

/// Values one after the other in one string, each vector with its length before it.
class Packet {
 public:
  Packet() = default;
  explicit Packet(std::string bytes) : bytes_(std::move(bytes)) {}
  const std::string& bytes() const { return bytes_; }

  template <class Value>
  void put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class Value>
  void put(const std::vector<Value>& values) {
    put<uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  }
  void put(const std::string& text) { put(std::vector<char>(text.begin(), text.end())); }

  template <class Value>
  Value get() {
    Value value{};
    take(&value, sizeof value);
    return value;
  }
  template <class Value>
  std::vector<Value> get_vector() {
    const auto count = get<uint64_t>();
    if (count > (bytes_.size() - place_) / sizeof(Value)) throw std::runtime_error("short message");
    std::vector<Value> values(count);
    take(values.data(), count * sizeof(Value));
    return values;
  }
  std::string get_text() {
    const auto characters = get_vector<char>();
    return {characters.begin(), characters.end()};
  }

 private:
  void take(void* to, size_t count);

  std::string bytes_;
  size_t place_ = 0;
};

Packet packed(const Request& request);
Request unpacked_request(Packet packet);

/// Writes all bytes of a message, its length first, or reads one. False if the other side is gone.
bool send_message(int socket, const std::string& bytes);
bool receive_message(int socket, std::string& bytes);

}  // namespace equiframe::cad
