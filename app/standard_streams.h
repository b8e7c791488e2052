#pragma once

/// Standard input, output and error of the program.
namespace equiframe::app {

/// First thing in main. Takes the places of streams that the caller closed, which the next file to
/// be opened would get, and with it our output; reading and writing them then fails. Also makes a
/// file that outgrows 'ulimit -f' an error to be told instead of the end of the program.
void guard_standard_streams();

/// Throws UserError unless all that was printed has arrived.
void require_printed();

}  // namespace equiframe::app
