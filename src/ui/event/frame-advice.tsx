import { Stethoscope } from 'lucide-react'
import { shorten } from '../shorten.ts'
import type { FrameView } from './event-view.ts'

/** Why a frame is still minified, and what to do. Said once for each cause; the other frames lead to it. */
export function FrameAdvice({ frame, sameAs }: { frame: FrameView; sameAs: string | undefined }) {
  if (frame.advice === null) return null
  return (
    <p className="advice">
      <Stethoscope className="i i-s" aria-hidden="true" />
      {sameAs ? (
        <span>
          Minified, for{' '}
          <a className="link" href={sameAs}>
            the same reason as above
          </a>
          .
        </span>
      ) : (
        <span>{shorten(frame.advice, 600)}</span>
      )}
    </p>
  )
}
