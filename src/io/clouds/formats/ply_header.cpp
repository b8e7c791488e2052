#include "io/clouds/formats/ply_header.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/number_lines.h"

namespace equiframe::inline io {
namespace {

/// The old names first: every reader knows them.
constexpr std::array<std::pair<std::string_view, NumberType>, 16> kPlyTypes{
    {{"char", NumberType::kInt8},
     {"uchar", NumberType::kUint8},
     {"short", NumberType::kInt16},
     {"ushort", NumberType::kUint16},
     {"int", NumberType::kInt32},
     {"uint", NumberType::kUint32},
     {"float", NumberType::kFloat32},
     {"double", NumberType::kFloat64},
     {"int8", NumberType::kInt8},
     {"uint8", NumberType::kUint8},
     {"int16", NumberType::kInt16},
     {"uint16", NumberType::kUint16},
     {"int32", NumberType::kInt32},
     {"uint32", NumberType::kUint32},
     {"float32", NumberType::kFloat32},
     {"float64", NumberType::kFloat64}}};

NumberType type_of(const ChunkedFile& file, std::string_view name) {
  for (const auto& [known, type] : kPlyTypes)
    if (name == known) return type;
  file.fail(
      c10::str("'", excerpt(name),
               "' is no type; expected char, uchar, short, ushort, int, uint, float or double"));
}

PlyFormat format_of(const ChunkedFile& file, std::string_view name) {
  if (name == "ascii") return PlyFormat::kText;
  if (name == "binary_little_endian") return PlyFormat::kLittleEndian;
  if (name == "binary_big_endian") return PlyFormat::kBigEndian;
  file.fail(c10::str("format '", excerpt(name),
                     "'; expected ascii, binary_little_endian or binary_big_endian"));
}

PlyElement element_of(const ChunkedFile& file, FieldScanner& words) {
  PlyElement element{std::string(words.word()), 0, {}};
  const std::optional<int64_t> count = words.number<int64_t>();
  if (element.name.empty() || !count || *count < 0 || !words.at_end())
    file.fail("expected 'element NAME COUNT' with a count from 0");
  element.count = *count;
  return element;
}

PlyProperty property_of(const ChunkedFile& file, FieldScanner& words) {
  PlyProperty property;
  std::string_view type = words.word();
  if (type == "list") {
    property.count = type_of(file, words.word());
    if (*property.count >= NumberType::kFloat32)
      file.fail("the length of a list is no whole number");
    type = words.word();
  }
  property.type = type_of(file, type);
  property.name = words.word();
  if (property.name.empty() || !words.at_end())
    file.fail("expected 'property TYPE NAME' or 'property list TYPE TYPE NAME'");
  return property;
}

}  // namespace

bool PlyElement::has_list() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PlyProperty& property) { return property.count.has_value(); });
}

std::size_t PlyElement::record_bytes() const {
  std::size_t bytes = 0;
  for (const PlyProperty& property : properties)
    bytes += byte_size(property.count.value_or(property.type));
  return bytes;
}

PlyHeader read_ply_header(ChunkedFile& file) {
  const std::string_view magic = file.peek(4);
  if (magic != "ply\n" && magic != "ply\r")
    file.fail_file("this is no PLY file; expected 'ply' in the first line");
  file.next_line();
  PlyHeader header;
  bool has_format = false;
  while (const std::optional<std::string_view> line = file.next_line()) {
    FieldScanner words(*line);
    const std::string_view word = words.word();
    if (word == "end_header") {
      if (!has_format) file.fail("the header has no line 'format'");
      return header;
    }
    if (word == "format") {
      header.format = format_of(file, words.word());
      has_format = true;
    } else if (word == "element") {
      header.elements.push_back(element_of(file, words));
    } else if (word == "property" && !header.elements.empty()) {
      header.elements.back().properties.push_back(property_of(file, words));
    } else if (word != "comment" && word != "obj_info" && !line->empty()) {
      file.fail(c10::str("'", excerpt(*line),
                         "' in the header; expected format, element, property, comment or "
                         "end_header"));
    }
  }
  file.fail("the file ends inside the header; expected 'end_header'");
}

const char* ply_type_name(NumberType type) {
  const auto known = std::find_if(kPlyTypes.begin(), kPlyTypes.end(),
                                  [&](const auto& entry) { return entry.second == type; });
  return known == kPlyTypes.end() ? nullptr : known->first.data();
}

}  // namespace equiframe::inline io
