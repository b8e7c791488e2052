#pragma once

#include <CLI/App.hpp>

/// The program: one file a subcommand, each adding itself to the parser.
namespace equiframe::app {

inline constexpr int kExitOk = 0;
inline constexpr int kExitCheckFailed = 1;
inline constexpr int kExitUserError = 2;
inline constexpr int kExitInternalError = 70;
inline constexpr int kExitInterrupted = 130;  ///< what a shell reports of a program ended by Ctrl-C

/// What the program will return if nothing throws.
void set_exit_code(int code);

void add_audit(CLI::App& app);
void add_bench(CLI::App& app);
void add_check(CLI::App& app);
void add_data(CLI::App& app);
void add_demo(CLI::App& app);
void add_doctor(CLI::App& app);
void add_eval(CLI::App& app);
void add_graph(CLI::App& app);
void add_list(CLI::App& app);
void add_model(CLI::App& app);
void add_normals(CLI::App& app);
void add_predict(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_train(CLI::App& app);
void add_wrap(CLI::App& app);

}  // namespace equiframe::app
