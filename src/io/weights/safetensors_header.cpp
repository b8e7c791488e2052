#include "io/weights/safetensors_header.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace equiframe::inline io {
namespace {

using nlohmann::json;

struct TypeName {
  c10::ScalarType type;
  const char* name;
};
constexpr std::array<TypeName, 6> kTypes{{{c10::ScalarType::Float, "F32"},
                                          {c10::ScalarType::Double, "F64"},
                                          {c10::ScalarType::Long, "I64"},
                                          {c10::ScalarType::Int, "I32"},
                                          {c10::ScalarType::Byte, "U8"},
                                          {c10::ScalarType::Bool, "BOOL"}}};
constexpr const char* kMetadata = "__metadata__";

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error(what);
}

c10::ScalarType parse_type(const std::string& array, const std::string& name) {
  for (const TypeName& known : kTypes) {
    if (name == known.name) return known.type;
  }
  refuse("array '" + array + "' has the type " + name + ", which is not supported");
}

uint64_t whole_number(const json& value, const std::string& array) {
  if (!value.is_number_unsigned()) refuse("array '" + array + "' has a size that is no number");
  return value.get<uint64_t>();
}

/// The bytes a shape takes, refusing what does not fit 63 bits.
uint64_t byte_count(const StoredArray& array) {
  uint64_t bytes = c10::elementSize(array.type);
  for (const int64_t size : array.shape) {
    const auto factor = static_cast<uint64_t>(size);
    if (factor != 0 && bytes > (uint64_t{1} << 62U) / factor)
      refuse("array '" + array.name + "' has an impossible shape");
    bytes *= factor;
  }
  return bytes;
}

StoredArray parse_array(const std::string& name, const json& entry) {
  const bool complete = entry.is_object() && entry.size() == 3 && entry.contains("dtype") &&
                        entry["dtype"].is_string() && entry.contains("shape") &&
                        entry["shape"].is_array() && entry.contains("data_offsets") &&
                        entry["data_offsets"].is_array() && entry["data_offsets"].size() == 2;
  if (!complete) refuse("array '" + name + "' lacks dtype, shape or data_offsets");
  StoredArray array;
  array.name = name;
  array.type = parse_type(name, entry["dtype"].get<std::string>());
  for (const json& size : entry["shape"]) {
    const uint64_t value = whole_number(size, name);
    if (value >> 62U != 0) refuse("array '" + name + "' has an impossible shape");
    array.shape.push_back(static_cast<int64_t>(value));
  }
  array.begin = whole_number(entry["data_offsets"][0], name);
  array.end = whole_number(entry["data_offsets"][1], name);
  if (array.end < array.begin || array.end - array.begin != byte_count(array))
    refuse("array '" + name + "' has a shape and a size that disagree");
  return array;
}

std::map<std::string, std::string> parse_metadata(const json& entry) {
  std::map<std::string, std::string> result;
  if (!entry.is_object()) refuse("the metadata are not an object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) refuse("the metadata '" + key + "' are not a text");
    result[key] = value.get<std::string>();
  }
  return result;
}

/// JSON whose objects have no key twice, which the parser would settle silently.
json parse_strictly(std::string_view text) {
  std::vector<std::set<std::string>> open;
  std::string twice;
  const auto watch = [&](int /*depth*/, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return true;
  };
  json parsed = json::parse(text, watch, /*allow_exceptions=*/false);
  if (parsed.is_discarded() || !parsed.is_object()) refuse("the header is not a JSON object");
  if (!twice.empty()) refuse("the header names '" + twice + "' twice");
  return parsed;
}

void require_cover(const std::vector<StoredArray>& arrays, uint64_t data_bytes) {
  uint64_t position = 0;
  for (const StoredArray& array : arrays) {
    if (array.begin < position) refuse("array '" + array.name + "' overlaps the one before it");
    if (array.begin > position) refuse("there is a gap before array '" + array.name + "'");
    position = array.end;
  }
  if (position > data_bytes)
    refuse("it ends " + std::to_string(position - data_bytes) + " bytes too early");
  if (position < data_bytes)
    refuse("it has " + std::to_string(data_bytes - position) + " surplus bytes");
}

}  // namespace

std::string type_name(c10::ScalarType type) {
  for (const TypeName& known : kTypes) {
    if (type == known.type) return known.name;
  }
  refuse(std::string("the type ") + c10::toString(type) + " cannot be stored");
}

std::string to_text(const SafeTensorsHeader& header) {
  nlohmann::ordered_json out;
  if (!header.metadata.empty()) out[kMetadata] = header.metadata;
  for (const StoredArray& array : header.arrays)
    out[array.name] = {{"dtype", type_name(array.type)},
                       {"shape", array.shape},
                       {"data_offsets", {array.begin, array.end}}};
  std::string text = out.is_null() ? "{}" : out.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

SafeTensorsHeader parse_header(std::string_view text, uint64_t data_bytes) {
  const json parsed = parse_strictly(text);
  SafeTensorsHeader header;
  for (const auto& [name, entry] : parsed.items()) {
    if (name == kMetadata)
      header.metadata = parse_metadata(entry);
    else
      header.arrays.push_back(parse_array(name, entry));
  }
  std::sort(header.arrays.begin(), header.arrays.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  require_cover(header.arrays, data_bytes);
  return header;
}

}  // namespace equiframe::inline io
