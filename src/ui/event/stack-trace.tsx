import { ChevronRight } from 'lucide-react'
import type { FrameView } from './event-view.ts'
import { foldFrames } from './fold-frames.ts'
import { packageNames } from './package-names.ts'
import { StackFrame } from './stack-frame.tsx'

type Props = { frames: FrameView[]; isOpen: boolean; isFolded?: boolean; prefix?: string | undefined }

/** Calls, newest first. Runs of framework frames fold into one line; the first frame of the app's own is open. */
export function StackTrace({ frames, isOpen, isFolded = true, prefix }: Props) {
  const openAt = isOpen ? firstWorthOpening(frames) : -1
  const frameOf = (frame: FrameView, index: number) => (
    <StackFrame
      key={index}
      frame={frame}
      isOpen={index === openAt}
      id={prefix ? `${prefix}-${index}` : undefined}
      sameAs={sameAdvice(frames, index, prefix)}
    />
  )
  if (!isFolded) return <div className="stack">{frames.map(frameOf)}</div>
  return (
    <div className="stack">
      {foldFrames(frames).map(run =>
        run.kind === 'frame' ? (
          frameOf(run.frame, run.index)
        ) : (
          <details key={run.index} className="fold-frames">
            <summary className="fold">
              <ChevronRight className="i i-s tri" aria-hidden="true" />
              {run.frames.length} framework frames
              <code className="cut">{packageNames(run.frames)}</code>
            </summary>
            {run.frames.map((frame, offset) => frameOf(frame, run.index + offset))}
          </details>
        ),
      )}
    </div>
  )
}

/** The address of the first frame that has the same advice, unless this is it. */
function sameAdvice(frames: FrameView[], index: number, prefix: string | undefined): string | undefined {
  const first = frames.findIndex(({ advice }) => advice !== null && advice === frames[index]?.advice)
  return first >= 0 && first < index && prefix ? `#${prefix}-${first}` : undefined
}

function firstWorthOpening(frames: FrameView[]): number {
  const own = frames.findIndex(frame => frame.isInApp && frame.source.length > 0)
  return own >= 0 ? own : frames.findIndex(frame => frame.source.length > 0)
}
