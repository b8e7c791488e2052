#include "io/arrays/npy_header.h"

#include <cctype>
#include <charconv>

#include "equiframe/core/error.h"

namespace equiframe::inline io {
namespace {

/// The few pieces of Python's notation that numpy writes.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = type();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
        has_order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        has_shape = true;
      } else {
        fail("it has the unknown key '" + key + "'");
      }
      if (!accept(',') && peek() != '}') fail("a comma is missing");
    }
    if (!has_descr || !has_order || !has_shape)
      fail("expected the keys descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UserError("the header of '" + file_ + "' is damaged: " + what +
                    "; write the array again with numpy.save");
  }

  char peek() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool accept(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a text in quotes");
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a quote is not closed");
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string type() {
    if (peek() == '[')
      throw UserError("'" + file_ +
                      "' holds records (a structured type), expected plain numbers; save one "
                      "field of it");
    return quoted();
  }

  bool truth() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail("fortran_order is neither True nor False");
  }

  /// A length; Python 2 wrote 10L.
  std::int64_t length() {
    peek();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) fail("the shape holds something that is no length");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    accept('L');
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(length());
      if (!accept(',') && peek() != ')') fail("a comma is missing in the shape");
    }
    return lengths;
  }

  std::string_view rest_;
  const std::string& file_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& file) {
  return HeaderReader(text, file).read();
}

std::string npy_preamble(const NpyHeader& header) {
  constexpr size_t kPrefix = 10, kAlignment = 64;
  std::string shape;
  for (const std::int64_t length : header.shape) shape += std::to_string(length) + ", ";
  if (header.shape.size() == 1) shape.pop_back();
  if (header.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string text = "{'descr': '" + header.descr +
                     "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                     ", 'shape': (" + shape + "), }";
  const size_t used = kPrefix + text.size() + 1;
  text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(text.size() & 0xff);
  preamble += static_cast<char>(text.size() >> 8);
  return preamble + text;
}

}  // namespace equiframe::inline io
