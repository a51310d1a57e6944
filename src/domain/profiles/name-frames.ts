/** Names and lines of profiled functions through source maps: as if their frames were the stack of an error. */
import type { StoredEvent } from '#protocol/event.ts'
import type { Chunk, ProfileFrame } from './read-chunk.ts'

type Stack = {
  release: string
  debug_meta: { images: unknown[] }
  exception: { values: [{ stacktrace: { frames: object[] } }] }
}

/** Each frame once, in their order. `images` tell which build a file is of. */
export const stackOf = (frames: readonly ProfileFrame[], release: string, images: unknown[]): Stack => ({
  release,
  debug_meta: { images },
  exception: {
    values: [
      {
        stacktrace: {
          frames: frames.map(({ name, file, line, column }) => ({
            function: name,
            filename: file,
            abs_path: file,
            ...(line > 0 ? { lineno: line, colno: Math.max(1, column) } : {}),
          })),
        },
      },
    ],
  },
})

export const imagesOf = (chunks: readonly Chunk[]): unknown[] =>
  chunks.flatMap(({ debugMeta }) => {
    const list = (debugMeta as { images?: unknown } | undefined)?.images
    return Array.isArray(list) ? list : []
  })

/** The frames with what source maps have found. `stack` is that of `stackOf`, symbolicated. */
export function namedFrames(
  frames: readonly ProfileFrame[],
  stack: Stack | Pick<StoredEvent, 'exception'>,
): ProfileFrame[] {
  const read = stack.exception?.values?.[0]?.stacktrace?.frames ?? []
  return frames.map((frame, at) => {
    const found = read[at] as {
      function?: string
      filename?: string
      lineno?: number
      colno?: number
      in_app?: boolean
      data?: unknown
    }
    if (found?.data === undefined) return frame
    return {
      name: found.function && found.function !== '?' ? found.function : frame.name,
      file: found.filename ?? frame.file,
      line: found.lineno ?? frame.line,
      column: found.colno ?? frame.column,
      isOwn: found.in_app ?? frame.isOwn,
    }
  })
}

/** A file that a bundler made: its names mean nothing until a source map is found. */
export const isBundled = (file: string): boolean => /^https?:.*\.m?js(?:\?|$)|[/\\]\.next[/\\]/.test(file)

/** A React component is a function of own code with a capital letter and at least one small one. */
export const isComponent = ({ name, isOwn }: Pick<ProfileFrame, 'name' | 'isOwn'>): boolean =>
  isOwn && /^[A-Z](?=\w*[a-z])[\w$]*$/.test(name)
