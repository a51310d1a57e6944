import { ScrollRegion } from '../scroll-region.tsx'
import type { ExceptionView } from './event-view.ts'
import { formatStack } from './format-stack.ts'

/** The stack as the SDK sent it: minified names, bundle paths, nothing mapped, nothing folded. */
export function RawStack({ exception }: { exception: ExceptionView }) {
  return (
    <ScrollRegion className="stack rawstack" label="Stack as it was sent">
      <pre>{formatStack(exception.type, exception.message, exception.rawFrames)}</pre>
    </ScrollRegion>
  )
}
