#include <exception>
#include <iostream>
#include <string>

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>
#include <c10/util/Exception.h>

#include "command_line.h"
#include "commands.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/runtime/blas.h"
#include "equiframe/version.h"
#include "runtime/memory.h"
#include "runtime/threads.h"
#include "standard_streams.h"

namespace {

int exit_code = equiframe::app::kExitOk;
bool verbose = false;

/// Backtraces and macro locations are for --verbose; one line is for everybody.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

int fail(const std::string& message, int code) {
  std::cout.flush();
  std::cerr << "equiframe: " << equiframe::text::printable(message) << '\n';
  return code;
}

void parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wish) {  // --help, --version
    exit_code = app.exit(wish);
  }
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    parse(app, argc, argv);
    equiframe::app::require_printed();
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return fail(equiframe::app::explain(app, error), equiframe::app::kExitUserError);
  } catch (const equiframe::UserError& error) {
    return fail(error.what(), equiframe::app::kExitUserError);
  } catch (const c10::Error& error) {
    if (verbose) std::cerr << error.what() << '\n';
    return fail(first_line(error.what_without_backtrace()), equiframe::app::kExitInternalError);
  } catch (const std::exception& error) {
    return fail(error.what(), equiframe::app::kExitInternalError);
  }
}

}  // namespace

void equiframe::app::set_exit_code(int code) {
  exit_code = code;
}

int main(int argc, char** argv) {
  equiframe::app::guard_standard_streams();
  equiframe::runtime::use_fast_blas(argv);
  equiframe::runtime::keep_freed_memory();
  const auto threads = equiframe::runtime::recommended_threads();
  equiframe::runtime::set_blas_threads(threads.blas);
  at::set_num_threads(threads.intra_op);
  CLI::App app("Exactly equivariant networks from any backbone, by frame averaging.", "equiframe");
  app.set_version_flag("--version", std::string("equiframe ") + std::string(equiframe::version()));
  equiframe::app::add_help_all(app);
  app.add_flag("--verbose", verbose, "print backtraces of internal errors");
  app.fallthrough();
  app.footer(
      "Exit codes: 0 ok, 1 a check failed, 2 wrong input, 70 internal error, 130 interrupted.\n"
      "The manual: man equiframe.");
  equiframe::app::add_demo(app);
  equiframe::app::add_check(app);
  equiframe::app::add_list(app);
  equiframe::app::add_doctor(app);
  equiframe::app::add_bench(app);
  equiframe::app::add_data(app);
  equiframe::app::add_train(app);
  equiframe::app::add_eval(app);
  equiframe::app::add_graph(app);
  equiframe::app::add_predict(app);
  equiframe::app::add_model(app);
  equiframe::app::add_wrap(app);
  equiframe::app::add_audit(app);
  equiframe::app::add_normals(app);
  equiframe::app::add_reproduce(app);
  equiframe::app::print_help_when_alone(app);
  return run(app, argc, argv);
}
