#pragma once

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// Decimal text to double and back: correctly rounded, the same in every locale.

namespace mlsift {

namespace number_detail {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline const char* decimal_point() { return std::localeconv()->decimal_point; }

// Any decimal, through the C library, which rounds correctly but expects the locale's decimal point.
inline double slow_number(const char* begin, const char* end) {
  std::string text(begin, end);
  const std::size_t point = text.find('.');
  if (point != std::string::npos) text.replace(point, 1, decimal_point());
  return std::strtod(text.c_str(), nullptr);
}

constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

}  // namespace number_detail

/// Reads [+-] digits [. digits] [e [+-] digits] from the start of [p, end) and returns where it stopped, or nullptr if
/// no number starts there. A number that is too large gives infinity. Digits that fit 53 bits with a power of ten up to
/// 22 need one correctly rounded multiplication or division (Clinger 1990); the rest goes to strtod().
inline const char* parse_number(const char* p, const char* end, double& value) {
  using number_detail::is_digit;
  const char* const begin = p;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;

  std::uint64_t digits = 0;
  int kept = 0, scale = 0;
  bool any = false;
  auto take = [&](bool fraction) {
    for (; p < end && is_digit(*p); ++p) {
      any = true;
      if (kept == 19) {
        kept = 20;  // more digits than fit
      } else if (kept < 19) {
        digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
        if (digits > 0) ++kept;
        if (fraction) --scale;
      }
    }
  };
  take(false);
  if (p < end && *p == '.') {
    ++p;
    take(true);
  }
  if (!any) return nullptr;

  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool down = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) ++p;
    if (p == end || !is_digit(*p)) return nullptr;
    int exponent = 0;
    for (; p < end && is_digit(*p); ++p) {
      if (exponent < 100000) exponent = exponent * 10 + (*p - '0');
    }
    scale += down ? -exponent : exponent;
  }

  if (kept <= 19 && digits <= (std::uint64_t{1} << 53) && (digits == 0 || (scale >= -22 && scale <= 22))) {
    const double whole = static_cast<double>(digits);
    const double power = number_detail::powers_of_ten[digits == 0 ? 0 : std::abs(scale)];
    const double size = scale < 0 ? whole / power : whole * power;
    value = negative ? -size : size;
  } else {
    value = number_detail::slow_number(begin, p);
  }
  return p;
}

/// Appends the shortest of 15, 16 or 17 significant digits that parse_number() reads back as the same double.
inline void append_number(std::string& out, double value) {
  char text[40];
  if (std::fabs(value) < 1e15 && value == std::floor(value)) {
    if (value == 0 && std::signbit(value)) out += '-';
    out += std::to_string(static_cast<long long>(value));
    return;
  }
  const char* const point = number_detail::decimal_point();
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (char* at = std::strstr(text, point)) {
      *at = '.';
      const char* const after = at + std::strlen(point);
      std::memmove(at + 1, after, std::strlen(after) + 1);
    }
    double back = 0;
    if (parse_number(text, text + std::strlen(text), back) && back == value) break;
  }
  out += text;
}

}  // namespace mlsift
