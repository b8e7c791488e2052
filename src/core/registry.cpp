#include "equiframe/core/registry.h"

#include <mutex>
#include <typeindex>
#include <unordered_map>

#include "core/text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline core {

void* process_wide(const std::type_info& type, std::shared_ptr<void> (*make)()) {
  // Never destroyed: others register and look up while the process ends.
  static std::mutex& mutex = *new std::mutex;
  static auto& objects = *new std::unordered_map<std::type_index, std::shared_ptr<void>>;
  const std::lock_guard lock(mutex);
  std::shared_ptr<void>& object = objects[type];
  if (!object) object = make();
  return object.get();
}

void refuse_name(std::string_view kind, std::string_view name,
                 const std::vector<std::string>& known) {
  throw UserError(text::unknown_name(kind, name, known));
}

}  // namespace equiframe::inline core
