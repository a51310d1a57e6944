import { artifactLimits } from '#protocol/artifact-manifest.ts'

/** How much of an upload is read. What is larger is refused with a reason, the same way each time: a repeated batch must not differ. */
export const limits = {
  /** Bytes of one map, unpacked. What is larger would not fit into the thread, decoded. */
  mapBytes: artifactLimits.mapBytes,
  /** Segments of one map. Decoded they take some 80 bytes each. */
  segments: 3_000_000,
  /** Bytes of a minified file, which is read only for the map it names or holds. */
  minifiedBytes: artifactLimits.fileBytes,
  /** Bytes of one source that is uploaded beside its map. */
  sourceBytes: 4 * 1024 * 1024,
  bundleFiles: artifactLimits.files,
  /** Lines of source either side. */
  contextLines: 5,
  /** Chars of a line of source that are kept: of longer ones the part around the column. */
  lineChars: 200,
} as const
