import { artifactLimits } from '#protocol/artifact-manifest.ts'

/** Anything larger is rejected with a reason, deterministically: a repeated batch must give the same result. */
export const limits = {
  /** Bytes of one unpacked map. A larger one would not fit into the worker's heap when decoded. */
  mapBytes: artifactLimits.mapBytes,
  /** Segments of one map; about 80 bytes each when decoded. */
  segments: 3_000_000,
  /** Bytes of a minified file, which is read only for its map reference or inline map. */
  minifiedBytes: artifactLimits.fileBytes,
  /** Bytes of one source file that is uploaded separately from its map. */
  sourceBytes: 4 * 1024 * 1024,
  bundleFiles: artifactLimits.files,
  /** Lines of source on each side. */
  contextLines: 5,
  /** Chars of a source line; longer lines keep the part around the column. */
  lineChars: 200,
} as const
