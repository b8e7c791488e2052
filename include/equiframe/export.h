#ifndef EQUIFRAME_EXPORT_H
#define EQUIFRAME_EXPORT_H

/// Marks what libequiframe.so shows; all else in it is hidden. For C, too. The mark means the same
/// in the code of users, so that types with virtual functions and exceptions are one and the same
/// on both sides even where they compile with -fvisibility=hidden.
#if defined(__GNUC__)
#define EQUIFRAME_API __attribute__((visibility("default")))
#else
#define EQUIFRAME_API
#endif

#endif
