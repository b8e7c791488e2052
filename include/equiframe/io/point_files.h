#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "equiframe/export.h"
#include "equiframe/io/point_cloud.h"

/// Point clouds and meshes in files. The extension names the format, in upper or lower case:
///
/// | extension           | reads                                         | writes                |
/// |---------------------|-----------------------------------------------|-----------------------|
/// | .ply                | text, binary of either byte order             | text, binary          |
/// | .pcd                | text, binary, compressed                      | text, binary          |
/// | .xyz .txt .pts .csv | text: x y z, normals, columns                 | text                  |
/// | .obj                | v with colours, vn, f                         | v with colours, vn, f |
/// | .stl                | text, binary; equal corners become one point  | text, binary          |
/// | .off                | OFF, COFF, NOFF, CNOFF                        | the same              |
/// | .npy                | [N, 3], or [N, 6] with normals                | the same              |
///
/// What a format has no place for (faces in .pcd, columns in .stl) is not written.
namespace equiframe::inline io {

enum class FileEncoding { kBinary, kText };

enum class CoordinateType {
  kAutomatic,  ///< float32 where it moves no point by more than 2^-23 of the extent, else float64
  kFloat64,
  kFloat32,
};

struct PointFileOptions {
  FileEncoding encoding = FileEncoding::kBinary;  ///< of .ply, .pcd and .stl
  /// Text keeps all digits of float64 unless told otherwise. A binary .stl has float32 only: it is
  /// refused where that costs digits, unless it is asked for.
  CoordinateType coordinates = CoordinateType::kAutomatic;
};

/// What to do with coordinates that are NaN or infinite; see `drop_invalid_points`.
enum class InvalidPoints { kRefuse, kKeep };

struct PointReadOptions {
  InvalidPoints invalid = InvalidPoints::kRefuse;
};

/// The points of a file. Polygons are cut into triangles that share their first corner. Columns
/// have the type that the file gives them, int32 or int64 for integers of other sizes, float64 in
/// text without types; the columns red, green, blue and alpha are uint8 wherever the values allow.
///
/// Throws UserError with the file, the line or byte, and what was expected there, for a file that
/// is missing, cut short or damaged, for a face that asks for a point that is not there and for an
/// extension that is not known. Takes little more memory than the result.
EQUIFRAME_API PointCloud read_points(const std::filesystem::path& path,
                                     const PointReadOptions& options = {});

/// Writes atomically (see write_file_atomically), with the shortest digits that read back as the
/// same number where the file is text. Throws UserError if the format cannot hold the cloud, such
/// as a cloud without faces in an .stl file.
EQUIFRAME_API void write_points(const std::filesystem::path& path, const PointCloud& cloud,
                                const PointFileOptions& options = {});

/// ".csv", ".npy", ...: all that both functions know, in alphabetical order. `read_points` knows
/// .step and .stp too, the triangles of exact surfaces, where equiframe-cad is installed.
EQUIFRAME_API std::vector<std::string> point_file_extensions();
/// All that `read_points` knows.
EQUIFRAME_API std::vector<std::string> readable_extensions();

}  // namespace equiframe::inline io
