/// Equiframe for C: load a model, ask what it takes, run it on plain arrays; normals of clouds.
///
/// C99 and C++, no other headers needed. The C++ library is <equiframe/equiframe.h>.
///
/// Every function that can fail returns an `equiframe_status`; after any other than EQUIFRAME_OK,
/// `equiframe_last_error()` is a sentence that says what was expected, and arrays meant for results
/// are as they were. No exception leaves a function and nothing is printed.
///
/// Threads: any functions may run at the same time on different handles, the first use included;
/// calls on one handle wait for each other. Freeing a handle that is in use is an error.
///
/// OpenBLAS chooses its kernels when it is loaded and may take a new processor for an old one. The
/// first function that returns a status sets that right for the process, if no other threads run
/// then and OPENBLAS_CORETYPE is not set; so load before starting threads, or start the program
/// with the OPENBLAS_CORETYPE that `equiframe doctor` prints.
#ifndef EQUIFRAME_H
#define EQUIFRAME_H

#include <stddef.h>
#include <stdint.h>

#include "equiframe/export.h"

/// Grows when a function or a field is added; what is there stays as it is.
#define EQUIFRAME_API_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers are the exit codes of the program `equiframe`.
typedef enum equiframe_status {
  EQUIFRAME_OK = 0,
  EQUIFRAME_WRONG_INPUT = 2,  ///< arguments, files or data that do not fit
  EQUIFRAME_INTERNAL = 70     ///< memory ran out, or a fault of the library
} equiframe_status;

/// EQUIFRAME_API_VERSION of the library that is loaded.
EQUIFRAME_API int equiframe_api_version(void);
/// Its version, such as "0.2.0".
EQUIFRAME_API const char* equiframe_version_string(void);
/// Why the last function of this thread that returned a status failed; "" if it did not fail. Never
/// NULL, one line, valid until the thread calls the next such function.
EQUIFRAME_API const char* equiframe_last_error(void);

/// ---- Models ------------------------------------------------------------------------------------

/// A trained network: a model file of Equiframe (.safetensors), ready to evaluate.
typedef struct equiframe_model equiframe_model;

/// Reads the file and checks that the network gives the output stored in it. `*model` is NULL if
/// that fails.
EQUIFRAME_API int equiframe_model_load(const char* path, equiframe_model** model);
/// NULL is allowed.
EQUIFRAME_API void equiframe_model_free(equiframe_model* model);

/// What a model takes and gives. Texts belong to the model and go with it.
typedef struct equiframe_model_info {
  size_t struct_size;       ///< set it to sizeof(equiframe_model_info) before the call
  const char* name;         ///< of the architecture, such as "fa-gnn"
  const char* group;        ///< of its symmetry, such as "E(3)" or "S(n)"; "none" if it claims none
  const char* frame;        ///< it averages over; "none" for other constructions
  const char* input_type;   ///< how channels transform, such as "point + vector + scalar"; "graph"
  const char* output_type;  ///< such as "point"; "line" is a direction whose sign means nothing
  int64_t dim;              ///< numbers of a point or a vector; 0 if there is neither
  int64_t channels_in;      ///< numbers of a node that go in
  int64_t channels_out;     ///< numbers that come out, of each node or of each item
  int64_t nodes;            ///< how many nodes an item has; 0 = any number, 1 or more
  int64_t parameters;       ///< numbers that were learned
  int32_t output_per_node;  ///< 1 = a row of each node comes out, 0 = one of each item
  int32_t needs_graph;      ///< 1 = it needs edges as well, which the functions below do not take
} equiframe_model_info;

/// Fills `info` as far as its struct_size goes.
EQUIFRAME_API int equiframe_model_describe(const equiframe_model* model,
                                           equiframe_model_info* info);

/// How many numbers come out of `batch` items of `nodes` nodes.
EQUIFRAME_API int equiframe_model_output_size(const equiframe_model* model, int64_t batch,
                                              int64_t nodes, int64_t* count);

/// Runs the network on `batch` items of `nodes` nodes, both 1 or more:
///   in   [batch, nodes, channels_in]   finite numbers, the last index runs fastest
///   out  [batch, nodes, channels_out], or [batch, channels_out] without `output_per_node`
/// Items do not see each other, but for networks on patches ("fa-patch"), which take the patches of
/// one call for those of one cloud. All is computed in the type of the arrays; the first call with
/// another type than that of the file converts the weights, which stay converted. Results that
/// would not be finite are EQUIFRAME_WRONG_INPUT.
EQUIFRAME_API int equiframe_model_run_f32(equiframe_model* model, int64_t batch, int64_t nodes,
                                          const float* in, float* out);
EQUIFRAME_API int equiframe_model_run_f64(equiframe_model* model, int64_t batch, int64_t nodes,
                                          const double* in, double* out);

/// ---- Normals of point clouds -------------------------------------------------------------------

/// The networks behind `equiframe normals`.
typedef struct equiframe_normals equiframe_normals;

/// `patches_path` names a model "fa-patch", `votes_path` a model "normal-votes" that betters its
/// normals, `choice_path` a model "normal-choice" that has the last word; either may be NULL =
/// without it. `*normals` is NULL if that fails.
EQUIFRAME_API int equiframe_normals_load(const char* patches_path, const char* votes_path,
                                         const char* choice_path, equiframe_normals** normals);
/// NULL is allowed.
EQUIFRAME_API void equiframe_normals_free(equiframe_normals* normals);

/// Unoriented unit normals of a cloud of 3 points or more; fewer than 16 get the normal of the
/// plane through all of them.
///   xyz         [points, 3]  finite
///   normals     [points, 3]  each away from the mean of the point's neighbours
///   confidence  [points]     0 none .. 1; may be NULL
///   degenerate  [points]     1 = the neighbours are on a line or in a point, any normal will do;
///                            may be NULL
/// The result does not depend on the number of threads.
EQUIFRAME_API int equiframe_normals_run(const equiframe_normals* handle, int64_t points,
                                        const double* xyz, float* normals, float* confidence,
                                        uint8_t* degenerate);

#ifdef __cplusplus
}
#endif

#endif
