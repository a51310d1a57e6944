/** How large an upload of sources and maps may be, in bytes unless it says otherwise. What is larger is refused with a reason. */
const MiB = 1024 * 1024

export const artifactLimits = {
  /** Of a whole upload, packed. What Sentry's tools are told by default. */
  bundleBytes: 2048 * MiB,
  /** Of all files of an upload, unpacked. */
  unpackedBytes: 8192 * MiB,
  /** How many times larger than the upload its files may be. Maps are text, which shrinks to a tenth; a bomb to a thousandth. */
  unpackedRatio: 100,
  /** Below this the ratio does not matter: a few small files of one letter are no bomb. */
  ratioFromBytes: 64 * MiB,
  /** Of one map, unpacked. The largest that real apps have are half of it. */
  mapBytes: 64 * MiB,
  /** Of any other file, unpacked. */
  fileBytes: 96 * MiB,
  /** Files of an upload. */
  files: 100_000,
  /** Of the list of files in an upload, unpacked. */
  manifestBytes: 64 * MiB,
} as const
