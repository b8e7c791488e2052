#include "particle_text.h"

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/plain_text.h"
#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::app {
namespace {

using nlohmann::json;

const std::vector<std::string> kColumns{"x", "y", "z", "vx", "vy", "vz", "charge"};

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw UserError(place + ": " + what);
}

bool read_number(const std::string& text, double& value) {
  const char* start = text.data();
  const char* end = start + text.size();
  if (text.starts_with('+')) ++start;
  const auto [stop, error] = std::from_chars(start, end, value);
  return error == std::errc() && stop == end;
}

/// Which columns the first line announces, or nothing if it holds numbers.
struct Header {
  bool present = false;
  bool has_sample = false;
};

Header read_header(const std::vector<std::string>& fields, const std::string& place) {
  double ignored = 0;
  const bool names = !read_number(fields.back(), ignored) && fields.back() != "nan";
  if (!names) return {false, fields.size() == kColumns.size() + 1};
  std::vector<std::string> columns = fields;
  const bool has_sample = columns.front() == "sample";
  if (has_sample) columns.erase(columns.begin());
  if (columns != kColumns)
    refuse(place, "the columns are " + text::excerpt(text::join(fields)) + "; they must be " +
                      text::join(kColumns) +
                      ", with 'sample' before them if there are several "
                      "systems");
  return {true, has_sample};
}

Particle read_particle(const std::vector<std::string>& fields, size_t first,
                       const std::string& place) {
  if (fields.size() != first + kColumns.size())
    refuse(place, std::to_string(fields.size()) + " columns, expected " +
                      std::to_string(first + kColumns.size()) + ": " +
                      (first == 1 ? "sample, " : "") + text::join(kColumns));
  Particle particle{};
  for (size_t i = 0; i < kColumns.size(); ++i) {
    const std::string& field = fields[first + i];
    if (!read_number(field, particle[i]))
      refuse(place, kColumns[i] + " = '" + text::excerpt(field) + "' is not a number");
    if (!std::isfinite(particle[i]))
      refuse(place, kColumns[i] + " = " + text::excerpt(field) + " is not finite");
  }
  return particle;
}

double json_number(const json& value, const std::string& place) {
  if (!value.is_number()) refuse(place, "'" + text::excerpt(value.dump()) + "' is not a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) refuse(place, "a number is not finite");
  return number;
}

const json& json_list(const json& object, const char* key, const std::string& place) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array())
    refuse(place, std::string("the list \"") + key + "\" is missing");
  return object[key];
}

std::vector<Particle> json_system(const json& sample, const std::string& place) {
  const json& positions = json_list(sample, "positions", place);
  const json& velocities = json_list(sample, "velocities", place);
  const json& charges = json_list(sample, "charges", place);
  if (positions.size() != velocities.size() || positions.size() != charges.size())
    refuse(place, std::to_string(positions.size()) + " positions, " +
                      std::to_string(velocities.size()) + " velocities and " +
                      std::to_string(charges.size()) + " charges");
  std::vector<Particle> system;
  for (size_t j = 0; j < positions.size(); ++j) {
    const std::string here = place + ", particle " + std::to_string(j);
    if (!positions[j].is_array() || positions[j].size() != 3 || !velocities[j].is_array() ||
        velocities[j].size() != 3)
      refuse(here, "position and velocity must have three numbers each");
    Particle particle{};
    for (size_t k = 0; k < 3; ++k) {
      particle[k] = json_number(positions[j][k], here);
      particle[k + 3] = json_number(velocities[j][k], here);
    }
    particle[6] = json_number(charges[j], here);
    system.push_back(particle);
  }
  return system;
}

/// What the library says from `mark` on, cut where it would fill the screen.
std::string reason_from(const json::exception& error, const char* mark) {
  constexpr size_t kLongest = 120;
  const std::string text = error.what();
  const size_t at = text.find(mark);
  const std::string reason = text.substr(at == std::string::npos ? 0 : at);
  return reason.size() <= kLongest ? reason : reason.substr(0, kLongest) + "...";
}

std::string shortest(double value, Digits digits) {
  char buffer[32];
  const auto result = digits == Digits::kFloat32
                          ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value))
                          : std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

std::string triple(const Particle& particle, Digits digits, const char* separator) {
  return shortest(particle[0], digits) + separator + shortest(particle[1], digits) + separator +
         shortest(particle[2], digits);
}

}  // namespace

TextSystems parse_csv(const std::string& text, const std::string& where) {
  TextSystems result;
  std::map<std::string, size_t> known;
  std::istringstream lines(text);
  Header header;
  bool first_line = true;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (text::trim(line).empty()) continue;
    const std::string place = where + ":" + std::to_string(number);
    const std::vector<std::string> fields = text::split(line, ',');
    if (first_line) header = read_header(fields, place);
    if (std::exchange(first_line, false) && header.present) continue;
    const Particle particle = read_particle(fields, header.has_sample ? 1 : 0, place);
    const std::string name = header.has_sample ? fields[0] : "";
    const auto [entry, is_new] = known.emplace(name, result.systems.size());
    if (is_new) {
      result.systems.emplace_back();
      if (header.has_sample) result.names.push_back(name);
    }
    result.systems[entry->second].push_back(particle);
  }
  return result;
}

TextSystems parse_json(const std::string& text, const std::string& where) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::out_of_range& error) {
    refuse(where, "a number is too large: " + reason_from(error, "'"));
  } catch (const json::parse_error& error) {
    refuse(where, "not JSON: " + reason_from(error, "at line"));
  }
  TextSystems result;
  const json& samples = json_list(document, "samples", where);
  for (size_t i = 0; i < samples.size(); ++i)
    result.systems.push_back(json_system(samples[i], where + ": sample " + std::to_string(i)));
  return result;
}

std::string csv_positions(const TextSystems& systems, Digits digits) {
  const bool named = !systems.names.empty();
  std::string result = named ? "sample,x,y,z\n" : "x,y,z\n";
  for (size_t i = 0; i < systems.systems.size(); ++i) {
    for (const Particle& particle : systems.systems[i])
      result += (named ? systems.names[i] + "," : "") + triple(particle, digits, ",") + "\n";
  }
  return result;
}

std::string json_positions(const TextSystems& systems, Digits digits) {
  std::string result = "{\"samples\": [";
  for (size_t i = 0; i < systems.systems.size(); ++i) {
    result += i == 0 ? "\n" : ",\n";
    if (!systems.names.empty())
      result += "  {\"sample\": " + json(systems.names[i]).dump() + ", \"positions\": [";
    else
      result += "  {\"positions\": [";
    for (size_t j = 0; j < systems.systems[i].size(); ++j)
      result += (j == 0 ? "[" : ", [") + triple(systems.systems[i][j], digits, ", ") + "]";
    result += "]}";
  }
  return result + "\n]}\n";
}

}  // namespace equiframe::app
