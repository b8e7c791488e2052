#include "io/clouds/formats/pcd_header.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "io/bytes/field_scanner.h"
#include "io/bytes/number_lines.h"
#include "io/clouds/rows/point_rows.h"

namespace equiframe::inline io {
namespace {

constexpr auto kMaxNumbers = static_cast<int64_t>(kMaxFields);

NumberType type_of(const ChunkedFile& file, char letter, int64_t size) {
  const std::vector<std::pair<std::string_view, NumberType>> known{
      {"I1", NumberType::kInt8},    {"U1", NumberType::kUint8},  {"I2", NumberType::kInt16},
      {"U2", NumberType::kUint16},  {"I4", NumberType::kInt32},  {"U4", NumberType::kUint32},
      {"I8", NumberType::kInt64},   {"U8", NumberType::kUint64}, {"F4", NumberType::kFloat32},
      {"F8", NumberType::kFloat64},
  };
  const std::string name = c10::str(letter, size);
  for (const auto& [text, type] : known)
    if (name == text) return type;
  file.fail(c10::str("a field of TYPE ", letter, " and SIZE ", size,
                     "; expected I or U with 1, 2, 4, 8 or F with 4, 8"));
}

/// Takes the lines of a header in any order.
class HeaderLines {
 public:
  explicit HeaderLines(ChunkedFile& file) : file_(file) {}

  PcdHeader read() {
    while (const std::optional<std::string_view> line = file_.next_line()) {
      FieldScanner words(*line);
      if (words.at_end()) continue;
      const std::string word(words.word());
      if (word == "DATA") return finish(words.word());
      read_line(word, words);
    }
    file_.fail(
        "the file ends inside the header; expected 'DATA ascii', 'binary' or "
        "'binary_compressed'");
  }

 private:
  void read_line(const std::string& word, FieldScanner& words) {
    if (word == "VERSION" || word == "VIEWPOINT") {
      known_ = true;
    } else if (word == "FIELDS" || word == "COLUMNS") {
      known_ = true;
      while (!words.at_end()) names_.emplace_back(words.word());
    } else if (word == "TYPE") {
      while (!words.at_end()) types_ += words.word().substr(0, 1);
    } else if (word == "SIZE") {
      sizes_ = integers(word, words);
    } else if (word == "COUNT") {
      counts_ = integers(word, words);
    } else if (word == "WIDTH" || word == "HEIGHT" || word == "POINTS") {
      const std::vector<int64_t> value = integers(word, words);
      if (value.size() != 1) file_.fail(c10::str("expected one number after ", word));
      (word == "WIDTH" ? width_ : word == "HEIGHT" ? height_ : points_) = value[0];
    } else if (!known_) {
      file_.fail_file("this is no PCD file; expected a header that begins with VERSION");
    } else {
      file_.fail(c10::str("'", excerpt(word),
                          "' in the header; expected VERSION, FIELDS, SIZE, "
                          "TYPE, COUNT, WIDTH, HEIGHT, VIEWPOINT, POINTS or DATA"));
    }
  }

  std::vector<int64_t> integers(const std::string& word, FieldScanner& words) const {
    std::vector<int64_t> values;
    while (!words.at_end()) {
      const std::optional<int64_t> value = words.number<int64_t>();
      if (!value || *value < 0) file_.fail(c10::str("expected whole numbers from 0 after ", word));
      values.push_back(*value);
    }
    return values;
  }

  PcdHeader finish(std::string_view data) const {
    PcdHeader header;
    if (data == "binary")
      header.data = PcdData::kBinary;
    else if (data == "binary_compressed")
      header.data = PcdData::kCompressed;
    else if (data != "ascii")
      file_.fail(c10::str("DATA ", excerpt(data),
                          "; expected ascii, binary or binary_compressed, "
                          "the binary ones little-endian"));
    if (names_.empty()) file_.fail("the header has no line FIELDS; expected one with x y z");
    const std::size_t fields = names_.size();
    if (sizes_.size() != fields || types_.size() != fields ||
        (!counts_.empty() && counts_.size() != fields))
      file_.fail(c10::str("FIELDS, SIZE, TYPE and COUNT have ", fields, ", ", sizes_.size(), ", ",
                          types_.size(), " and ", counts_.size(),
                          " entries; expected as many in each"));
    int64_t numbers = 0;
    for (std::size_t k = 0; k < fields; ++k) {
      const int64_t count = counts_.empty() ? 1 : counts_[k];
      numbers += std::min(count, kMaxNumbers + 1);
      header.fields.push_back({names_[k], type_of(file_, types_[k], sizes_[k]), count});
    }
    if (numbers > kMaxNumbers)
      file_.fail(c10::str("COUNT is too large; expected at most ", kMaxNumbers,
                          " numbers for each point"));
    header.points = checked_points();
    return header;
  }

  int64_t checked_points() const {
    int64_t grid = 0;
    const bool fits = !__builtin_mul_overflow(width_.value_or(0), height_.value_or(1), &grid);
    if (!width_ && !points_) file_.fail("the header has neither WIDTH nor POINTS; expected both");
    if (width_ && points_ && (!fits || grid != *points_))
      file_.fail(c10::str("WIDTH x HEIGHT is ", *width_, " x ", height_.value_or(1),
                          ", but POINTS is ", *points_, "; expected the same number"));
    if (!fits) file_.fail("WIDTH x HEIGHT is too large");
    return points_.value_or(grid);
  }

  ChunkedFile& file_;
  bool known_ = false;  // a line that only .pcd files have was there
  std::vector<std::string> names_;
  std::string types_;
  std::vector<int64_t> sizes_, counts_;
  std::optional<int64_t> width_, height_, points_;
};

}  // namespace

PcdHeader read_pcd_header(ChunkedFile& file) {
  return HeaderLines(file).read();
}

}  // namespace equiframe::inline io
