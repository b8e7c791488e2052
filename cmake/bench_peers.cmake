# Libraries that benchmarks compare with, each used where it is installed and never required:
# libcgal-dev and libpcl-dev in Debian.
find_path(CGAL_INCLUDE_DIR CGAL/pca_estimate_normals.h)
find_library(GMP_LIBRARY gmp)
find_library(MPFR_LIBRARY mpfr)
mark_as_advanced(CGAL_INCLUDE_DIR GMP_LIBRARY MPFR_LIBRARY)
find_package(Eigen3 QUIET NO_MODULE)
if(CGAL_INCLUDE_DIR AND GMP_LIBRARY AND MPFR_LIBRARY AND Eigen3_FOUND)
  set_property(SOURCE bench/normals_cgal.cpp APPEND PROPERTY COMPILE_DEFINITIONS EQUIFRAME_BENCH_CGAL
                                                             CGAL_EIGEN3_ENABLED)
  target_include_directories(equiframe_cli SYSTEM PRIVATE ${CGAL_INCLUDE_DIR})
  target_link_libraries(equiframe_cli PRIVATE Eigen3::Eigen ${GMP_LIBRARY} ${MPFR_LIBRARY})
endif()

find_path(PCL_INCLUDE_DIR pcl/features/normal_3d_omp.h PATH_SUFFIXES pcl-1.13 pcl-1.14 pcl-1.12)
find_library(PCL_FEATURES pcl_features)
find_library(PCL_SEARCH pcl_search)
find_library(PCL_KDTREE pcl_kdtree)
find_library(PCL_COMMON pcl_common)
mark_as_advanced(PCL_INCLUDE_DIR PCL_FEATURES PCL_SEARCH PCL_KDTREE PCL_COMMON)
if(PCL_INCLUDE_DIR AND PCL_FEATURES AND PCL_SEARCH AND PCL_KDTREE AND PCL_COMMON AND Eigen3_FOUND)
  set_property(SOURCE bench/normals_pcl.cpp APPEND PROPERTY COMPILE_DEFINITIONS EQUIFRAME_BENCH_PCL)
  set_source_files_properties(bench/normals_pcl.cpp PROPERTIES COMPILE_OPTIONS -fopenmp SKIP_PRECOMPILE_HEADERS ON)
  target_include_directories(equiframe_cli SYSTEM PRIVATE ${PCL_INCLUDE_DIR})
  target_link_libraries(equiframe_cli PRIVATE Eigen3::Eigen ${PCL_FEATURES} ${PCL_SEARCH}
                                              ${PCL_KDTREE} ${PCL_COMMON})
endif()
