import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'

/** Whatever the SDK says: browsers call every frame the app's. */
const foreign =
  /[/\\]node_modules[/\\]|^node:|^https?:\/\/(?:[\w-]+\.)*(?:unpkg\.com|cdnjs\.cloudflare\.com|cdn\.jsdelivr\.net|esm\.run)\//

/** Is it code of the app? */
export function isOwnFrame(frame: Frame): boolean {
  return frame.in_app !== false && !foreign.test(fileOf(frame))
}
