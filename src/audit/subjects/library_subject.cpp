#include <dlfcn.h>
#include <torch/types.h>

#include "equiframe.h"
#include "equiframe/audit/subject.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "io/bytes/input_file.h"

namespace equiframe::audit {
namespace {

/// The functions of equiframe.h in somebody's library.
struct Interface {
  decltype(&equiframe_model_load) load = nullptr;
  decltype(&equiframe_model_describe) describe = nullptr;
  decltype(&equiframe_model_output_size) output_size = nullptr;
  decltype(&equiframe_model_run_f32) run_f32 = nullptr;
  decltype(&equiframe_model_run_f64) run_f64 = nullptr;
  decltype(&equiframe_model_free) free = nullptr;
  decltype(&equiframe_last_error) last_error = nullptr;
};

/// Whether `path` is a copy of this library that is not the one in use. Two of them in a process
/// would register every name twice, which ends it.
bool is_second_copy(const std::string& path) {
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr) return false;
  constexpr const char* kOurs = "_ZN9equiframe5audit12open_subject";  // as the linker writes it
  return read_whole_file(path).find(kOurs) != std::string::npos;
}

class Library {
 public:
  explicit Library(const std::filesystem::path& file) : file_(file.string()) {
    const std::string path = file.has_parent_path() ? file_ : "./" + file_;
    require_ordinary_file(path);
    if (is_second_copy(path))
      throw UserError(c10::str("'", file_, "' is another copy of Equiframe's own library, which ",
                               "cannot run beside this one; audit it with the program that was ",
                               "installed with it, or audit the model file"));
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw UserError(c10::str("cannot open the library: ", dlerror()));
    find("equiframe_model_load", calls.load);
    find("equiframe_model_describe", calls.describe);
    find("equiframe_model_output_size", calls.output_size);
    find("equiframe_model_run_f32", calls.run_f32);
    find("equiframe_model_run_f64", calls.run_f64);
    find("equiframe_model_free", calls.free);
    find("equiframe_last_error", calls.last_error);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() = default;  // stays loaded: what it started may still run

  void require(int status) const {
    if (status != EQUIFRAME_OK)
      throw UserError(c10::str("'", file_, "' fails: ", calls.last_error()));
  }

  Interface calls;

 private:
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr)
      throw UserError(c10::str("'", file_, "' has no function ", name,
                               "; a library to audit has the interface of equiframe.h"));
  }

  std::string file_;
  void* handle_ = nullptr;
};

/// A library with the model it loaded, for its life.
class LoadedLibrary {
 public:
  LoadedLibrary(const std::filesystem::path& file, const std::string& model_file) : library_(file) {
    library_.require(library_.calls.load(model_file.c_str(), &model_));
    info_.struct_size = sizeof(info_);
    library_.require(library_.calls.describe(model_, &info_));
    if (info_.needs_graph != 0)
      throw UserError("the library's model needs edges, which the C interface does not take");
  }
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;
  ~LoadedLibrary() { library_.calls.free(model_); }

  const equiframe_model_info& info() const { return info_; }

  Tensor run(const Tensor& x) const {  // [B, N, C]
    const int64_t batch = x.size(0), nodes = x.size(1);
    int64_t count = 0;
    library_.require(library_.calls.output_size(model_, batch, nodes, &count));
    const bool per_node = info_.output_per_node != 0;
    const std::vector<int64_t> shape = per_node
                                           ? std::vector<int64_t>{batch, nodes, info_.channels_out}
                                           : std::vector<int64_t>{batch, info_.channels_out};
    const Tensor in = x.contiguous(), out = torch::empty(shape, x.options());
    if (out.numel() != count)
      throw UserError(
          c10::str("the library gives ", count, " numbers, its description says ", out.numel()));
    library_.require(x.scalar_type() == torch::kFloat32
                         ? library_.calls.run_f32(model_, batch, nodes, in.data_ptr<float>(),
                                                  out.data_ptr<float>())
                         : library_.calls.run_f64(model_, batch, nodes, in.data_ptr<double>(),
                                                  out.data_ptr<double>()));
    return out;
  }

 private:
  Library library_;
  equiframe_model* model_ = nullptr;
  equiframe_model_info info_{};
};

/// A line, a direction whose sign means nothing, is given as the tensor n n^T.
bool has_lines(const equiframe_model_info& info) {
  return std::string(info.output_type) == "line";
}

TypedCall completed(TypedCall call, const equiframe_model_info& info) {
  if (call.group.empty()) call.group = info.group;
  if (call.group == "none")
    throw UserError("the library's model claims no group; say which one to measure with --group");
  if (call.in.empty()) call.in = {{"", info.input_type}};
  if (call.out.empty()) call.out = {{"", has_lines(info) ? "tensor" : info.output_type}};
  return call;
}

class LibrarySubject final : public Subject {
 public:
  LibrarySubject(std::unique_ptr<LoadedLibrary> library, const std::string& name,
                 const TypedCall& call)
      : Subject(name, "shared library", completed(call, library->info())),
        library_(std::move(library)) {
    constexpr int64_t kItems = 8;
    const equiframe_model_info& info = library_->info();
    if (typing().in.front().channels != info.channels_in)
      throw UserError(c10::str("'", typing().in.front().text, "' has ",
                               typing().in.front().channels, " channels, the library takes ",
                               info.channels_in));
    if (info.nodes <= 0) return;  // any number
    auto generator = make_generator(1);
    set_example({torch::randn({kItems, info.nodes, info.channels_in}, generator, torch::kFloat64)});
  }

 private:
  std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs, Gradient) const override {
    const Tensor y = library_->run(inputs.front());
    if (!has_lines(library_->info())) return {y};
    return {(y.unsqueeze(-1) * y.unsqueeze(-2)).flatten(-2)};
  }

  std::unique_ptr<LoadedLibrary> library_;
};

}  // namespace

std::unique_ptr<Subject> library_subject(const std::filesystem::path& library,
                                         const std::string& model_file, const TypedCall& call) {
  return std::make_unique<LibrarySubject>(std::make_unique<LoadedLibrary>(library, model_file),
                                          library.filename().string(), call);
}

}  // namespace equiframe::audit
