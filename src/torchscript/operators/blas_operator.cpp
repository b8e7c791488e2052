#include "runtime/blas_info.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators {

std::tuple<std::string, std::string, std::string, std::string> use_fast_blas(bool overrule) {
  using runtime::UsersCore;
  const runtime::BlasRepair repair =
      runtime::use_fast_blas(overrule ? UsersCore::kOverruled : UsersCore::kKept);
  return {std::string(runtime::name(repair.outcome)), repair.before, repair.after,
          runtime::expected_core()};
}

}  // namespace equiframe::operators
