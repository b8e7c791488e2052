#include "report/format.h"

#include <array>
#include <cmath>

#include "core/plain_text.h"

namespace equiframe::report {

std::string escape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

namespace {

using text::printed;

/// "1.2e-05" -> "1.2e-5", "3.0e+04" -> "3e4".
std::string tidy_exponent(const std::string& text) {
  const size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.size() > 2 && mantissa.ends_with(".0")) mantissa.resize(mantissa.size() - 2);
  return mantissa + "e" + std::to_string(std::stoi(text.substr(e + 1)));
}

}  // namespace

std::string number(double value) {
  constexpr double kLargestWhole = 1e7;
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double size = std::abs(value);
  if (size < kLargestWhole && value == std::round(value)) return printed("%.0f", value + 0.0);
  if (size >= 1e-3 && size < 1e4) return printed("%.3g", value);
  return tidy_exponent(printed("%.1e", value));
}

std::string whole_number(int64_t value) {
  const std::string digits = std::to_string(value);
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string power_of_ten(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  constexpr std::array<const char*, 10> kRaised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent)))
    result += kRaised.at(static_cast<size_t>(digit - '0'));
  return result;
}

size_t width(std::string_view text) {
  size_t count = 0;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues) ++count;
  }
  return count;
}

}  // namespace equiframe::report
