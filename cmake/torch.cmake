# The imported target `torch`. Imported targets are SYSTEM includes, so LibTorch's headers are
# exempt from our warnings. The variable silences a warning about how LibTorch looks for glog.
set(FPHSA_NAME_MISMATCHED TRUE)
find_package(Torch REQUIRED)
unset(FPHSA_NAME_MISMATCHED)
