import { ChevronRight } from 'lucide-react'
import type { FrameView } from './event-view.ts'
import { foldFrames } from './fold-frames.ts'
import { StackFrame } from './stack-frame.tsx'

/** Calls, newest first. Runs of framework frames fold into one line; the first frame of the app's own is open. */
export function StackTrace({ frames, isOpen }: { frames: FrameView[]; isOpen: boolean }) {
  const openAt = isOpen ? frames.findIndex(frame => frame.isInApp && frame.source.length > 0) : -1
  return (
    <div className="stack">
      {foldFrames(frames).map(run =>
        run.kind === 'frame' ? (
          <StackFrame key={run.index} frame={run.frame} isOpen={run.index === openAt} />
        ) : (
          <details key={run.index} className="fold-frames">
            <summary className="fold">
              <ChevronRight className="i i-s tri" aria-hidden="true" />
              {run.frames.length} framework frames
            </summary>
            {run.frames.map((frame, offset) => (
              <StackFrame key={run.index + offset} frame={frame} isOpen={false} />
            ))}
          </details>
        ),
      )}
    </div>
  )
}
