#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "equiframe/export.h"

namespace equiframe::inline core {

/// The object of this type that all libraries of the process share, made by `make` for the first
/// that asks. A static variable of a template would be another one in each library that hides it.
/// It lives until the process ends, and so must a library that has put code into it.
EQUIFRAME_API void* process_wide(const std::type_info& type, std::shared_ptr<void> (*make)());

/// Throws the UserError that there is no KIND named `name`, with the nearest one and all others.
[[noreturn]] EQUIFRAME_API void refuse_name(std::string_view kind, std::string_view name,
                                            const std::vector<std::string>& known);

/// Named factories of one interface. Implementations add themselves from their own .cpp file, so
/// that adding one is adding one file.
template <class Interface, class... Args>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Interface>(const Args&...)>;

  static Registry& instance() {
    static Registry& registry = *static_cast<Registry*>(process_wide(
        typeid(Registry), [] { return std::shared_ptr<void>(std::make_shared<Registry>()); }));
    return registry;
  }

  /// Returns true, so that a namespace-scope constant can register. Registering twice is a bug.
  bool add(const std::string& name, std::string description, Factory factory) {
    const bool added =
        entries_.emplace(name, Entry{std::move(description), std::move(factory)}).second;
    if (!added) throw std::logic_error("registered twice: " + name);
    return true;
  }

  std::unique_ptr<Interface> make(const std::string& name, const Args&... args) const {
    return find(name).factory(args...);
  }

  const std::string& description(const std::string& name) const { return find(name).description; }

  /// In alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

 private:
  struct Entry {
    std::string description;
    Factory factory;
  };

  const Entry& find(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) refuse_name(Interface::kKind, name, names());
    return found->second;
  }

  std::map<std::string, Entry> entries_;
};

}  // namespace equiframe::inline core
