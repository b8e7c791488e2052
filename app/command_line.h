#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

/// What all commands share on the command line.
namespace equiframe::app {

/// --help-all of the program: the help of every command, one after the other.
void add_help_all(CLI::App& app);

/// Has a command that only holds others, the program itself among them, print its help if it is
/// called alone. To be called when all commands are added.
void print_help_when_alone(CLI::App& app);

/// What is wrong with the command line, in one line that names the nearest command or option and
/// where the help is.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// Refuses other words than `known`, naming the nearest; `kind` says what they are.
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& known);

}  // namespace equiframe::app
