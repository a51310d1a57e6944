import type { Frame } from '#protocol/event.ts'

/** The file a frame lies in, '' when unknown. Frames outside an error have not been given their shape: a name may be anything. */
export function fileOf(frame: Frame): string {
  const { filename, abs_path: path } = frame
  if (typeof filename === 'string' && filename !== '') return filename
  return typeof path === 'string' ? path : ''
}
