#include "runtime/machine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace equiframe::runtime {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<double> ratio(double quota, double period) {
  if (quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

/// The quota of one control group: cpu.max ("150000 100000" or "max 100000") in version 2,
/// cpu.cfs_quota_us (-1 = none) and cpu.cfs_period_us in version 1.
std::optional<double> group_quota(const fs::path& group) {
  double quota = 0;
  double period = 0;
  std::istringstream v2(read_file(group / "cpu.max"));
  if (v2 >> quota >> period) return ratio(quota, period);
  std::istringstream v1(read_file(group / "cpu.cfs_quota_us") + " " +
                        read_file(group / "cpu.cfs_period_us"));
  if (v1 >> quota >> period) return ratio(quota, period);
  return std::nullopt;
}

std::optional<double> least(std::optional<double> a, std::optional<double> b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

/// Over `group` and its ancestors up to `mount`. A group that is not visible there (a container
/// sees its own group as the root) contributes nothing.
std::optional<double> hierarchy_quota(const fs::path& mount, const fs::path& group) {
  std::optional<double> quota = group_quota(mount);
  fs::path here = mount;
  for (const fs::path& part : group.relative_path()) {
    here /= part;
    quota = least(quota, group_quota(here));
  }
  return quota;
}

/// Where the hierarchy of one line of /proc/self/cgroup can be mounted below the root.
std::vector<fs::path> mounts(const fs::path& root, const std::string& controllers) {
  if (controllers.empty()) return {root, root / "unified"};
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "cpu") return {root / "cpu", root / controllers};
  }
  return {};
}

int affinity_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) return CPU_COUNT(&mask);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::int64_t available_memory() {
  std::istringstream lines(read_file("/proc/meminfo"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string key;
    std::int64_t kib = 0;
    if (fields >> key >> kib && key == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const fs::path& cgroup_root, const std::string& membership) {
  std::optional<double> quota;
  std::istringstream lines(membership);
  for (std::string line; std::getline(lines, line);) {  // hierarchy:controllers:path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    for (const fs::path& mount : mounts(cgroup_root, controllers)) {
      quota = least(quota, hierarchy_quota(mount, line.substr(second + 1)));
    }
  }
  return quota;
}

int usable_cores(int affinity, std::optional<double> quota) {
  if (!quota) return std::max(1, affinity);
  return std::max(1, std::min(affinity, static_cast<int>(std::floor(*quota))));
}

Machine machine() {
  Machine m;
  m.cpu = cpu_facts();
  m.simd = kernels::simd_level();
  m.logical_cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  m.usable_cores = usable_cores(affinity_cores(),
                                cgroup_cpu_quota("/sys/fs/cgroup", read_file("/proc/self/cgroup")));
  m.memory_bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  m.memory_available_bytes = available_memory();
  double load = 0;
  if (getloadavg(&load, 1) == 1) m.load_average = load;
  return m;
}

}  // namespace equiframe::runtime
