/// Symmetric matrices that are hard in different ways.
#pragma once

#include <utility>

#include "tests/linalg/reference.h"

namespace equiframe::kernels::reference {

using Draw = std::function<Matrix(int d, Random& random)>;
using Spectrum = std::function<std::array<long double, 3>(Random& random)>;

inline long double normal(Random& random) {
  return std::normal_distribution<long double>()(random);
}

struct Family {
  std::string name;
  Draw draw;
};

/// Values drawn, axes turned at random.
inline Family turned(std::string name, const Spectrum& spectrum) {
  return {std::move(name), [spectrum](int d, Random& random) {
            return reference::with_spectrum(d, spectrum(random), random);
          }};
}

inline Family diagonal(std::string name, const Spectrum& spectrum) {
  return {std::move(name), [spectrum](int d, Random& random) {
            const auto values = spectrum(random);
            Matrix a{};
            for (int i = 0; i < d; ++i) a[i][i] = values[i];
            return a;
          }};
}

/// Gaussian entries times `factor`.
inline Family scaled(std::string name, long double factor) {
  return {std::move(name), [factor](int, Random& random) {
            Matrix a{};
            for (auto& row : a) {
              for (auto& x : row) x = factor * normal(random);
            }
            return a;
          }};
}

inline std::array<long double, 3> independent(Random& random) {
  return {normal(random), normal(random), normal(random)};
}

/// `extreme` and its inverse are the largest and smallest scale.
inline std::vector<Family> families(long double extreme) {
  std::vector<Family> all{
      scaled("random", 1),
      scaled("tiny", 1e-20L),
      scaled("huge", 1e20L),
      scaled("least", 1 / extreme),
      scaled("most", extreme),
      diagonal("axis aligned", independent),
      diagonal("axis aligned, repeated",
               [](Random& r) {
                 const long double x = normal(r);
                 return std::array{r() % 2 ? x : 1, r() % 2 ? x : 1, r() % 2 ? x : 1};
               }),
      diagonal("isotropic",
               [](Random& r) {
                 const long double x = normal(r);
                 return std::array{x, x, x};
               }),
      diagonal("zero", [](Random&) { return std::array<long double, 3>{}; }),
      turned("flat",
             [](Random& r) {
               return std::array{0.L, std::exp(normal(r)), normal(r)};
             }),
      turned("rank one",
             [](Random& r) {
               return std::array{normal(r), 0.L, 0.L};
             }),
      turned("graded",
             [](Random& r) {
               const auto grade = [&] { return std::pow(10.L, -10 * std::abs(normal(r))); };
               return std::array{grade(), grade(), grade()};
             }),
      {"nearly diagonal", [](int d, Random& r) {
         Matrix a{};
         for (int i = 0; i < d; ++i) {
           a[i][i] = normal(r);
           for (int j = 0; j < i; ++j) {
             a[i][j] = normal(r) * std::pow(10.L, -20 * std::abs(normal(r)));
           }
         }
         return a;
       }}};
  for (const long double gap : {1e-3L, 1e-5L, 1e-7L, 1e-9L, 1e-11L, 1e-13L, 1e-15L}) {
    const std::string text = " to 1e-" + std::to_string(std::lround(-std::log10(gap)));
    all.push_back(turned("pair tied" + text, [gap](Random& r) {
      const long double x = normal(r);
      return std::array{x, x + gap * normal(r), normal(r)};
    }));
    all.push_back(turned("all tied" + text, [gap](Random& r) {
      return std::array{1.L, 1 + gap * normal(r), 1 + gap * normal(r)};
    }));
  }
  return all;
}

}  // namespace equiframe::kernels::reference
