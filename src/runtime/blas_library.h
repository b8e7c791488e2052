#pragma once

#include <string>

/// The BLAS of this process, looked up among the loaded objects; nothing is loaded or linked.
namespace equiframe::runtime {

/// The file of the loaded object that holds `address`, links resolved; "" if there is none.
std::string file_of(const void* address);

class BlasLibrary {
 public:
  /// The library whose sgemm_ the process would call. Looked up once: libraries stay loaded.
  static const BlasLibrary& loaded();

  bool found() const { return handle_ != nullptr; }

  bool has(const char* symbol) const { return find(symbol) != nullptr; }

  /// A function of the library or of one it depends on; null if it is not shown. On Debian sgemm_
  /// lives in libblas.so.3 and the rest of OpenBLAS in the libopenblas.so.0 below it.
  template <class Function>
  Function* function(const char* symbol) const {
    return reinterpret_cast<Function*>(find(symbol));
  }

  /// The address of a symbol, as above.
  void* find(const char* symbol) const;

 private:
  BlasLibrary();

  void* handle_ = nullptr;
};

using SgemmFunction = void(const char* transa, const char* transb, const int* m, const int* n,
                           const int* k, const float* alpha, const float* a, const int* lda,
                           const float* b, const int* ldb, const float* beta, float* c,
                           const int* ldc);
using DgemmFunction = void(const char* transa, const char* transb, const int* m, const int* n,
                           const int* k, const double* alpha, const double* a, const int* lda,
                           const double* b, const int* ldb, const double* beta, double* c,
                           const int* ldc);

using SsymvFunction = void(const char* uplo, const int* n, const float* alpha, const float* a,
                           const int* lda, const float* x, const int* incx, const float* beta,
                           float* y, const int* incy);

/// Threads `library` would use; 0 if it does not tell.
int blas_threads(const BlasLibrary& library);
/// Threads of the process besides the calling one that are not workers of `library`: those it has
/// of its own only do what a caller of it waits for. One at least if it cannot be told.
int strange_threads(const BlasLibrary& library);
/// Does nothing if the library offers no way.
void set_blas_threads(const BlasLibrary& library, int threads);

}  // namespace equiframe::runtime
