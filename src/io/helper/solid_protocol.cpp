#include "io/helper/solid_protocol.h"

#include <cerrno>
#include <cstring>

#include <sys/socket.h>

namespace equiframe::cad {
namespace {

bool write_all(int socket, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = send(socket, bytes, count, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    count -= static_cast<size_t>(done);
  }
  return true;
}

bool read_all(int socket, char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = recv(socket, bytes, count, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    count -= static_cast<size_t>(done);
  }
  return true;
}

}  // namespace

void Packet::take(void* to, size_t count) {
  if (count > bytes_.size() - place_) throw std::runtime_error("short message");
  if (count > 0) std::memcpy(to, bytes_.data() + place_, count);
  place_ += count;
}

Packet packed(const Request& request) {
  Packet packet;
  packet.put(request.command);
  packet.put(request.start);
  packet.put(request.draw);
  packet.put(request.count);
  packet.put(request.deflection);
  packet.put(request.points);
  packet.put(request.file);
  return packet;
}

Request unpacked_request(Packet packet) {
  Request request;
  request.command = packet.get<Command>();
  request.start = packet.get<uint64_t>();
  request.draw = packet.get<uint64_t>();
  request.count = packet.get<int64_t>();
  request.deflection = packet.get<double>();
  request.points = packet.get_vector<double>();
  request.file = packet.get_text();
  return request;
}

bool send_message(int socket, const std::string& bytes) {
  const uint64_t count = bytes.size();
  return write_all(socket, reinterpret_cast<const char*>(&count), sizeof count) &&
         write_all(socket, bytes.data(), bytes.size());
}

bool receive_message(int socket, std::string& bytes) {
  uint64_t count = 0;
  if (!read_all(socket, reinterpret_cast<char*>(&count), sizeof count)) return false;
  bytes.resize(count);
  return read_all(socket, bytes.data(), count);
}

}  // namespace equiframe::cad
