#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace equiframe::report {

/// `text` with the characters that HTML and SVG reserve written out.
std::string escape(std::string_view text);

/// Short, for people: "0", "0.42", "4096", "1.2e-15"; "nan" and "inf" by name.
std::string number(double value);

/// "104,387"
std::string whole_number(int64_t value);

/// "10⁻¹⁵"; 1 and 10 are written plainly.
std::string power_of_ten(int exponent);

/// Characters of a UTF-8 text, which is its width in a terminal for the alphabets we write.
size_t width(std::string_view text);

}  // namespace equiframe::report
