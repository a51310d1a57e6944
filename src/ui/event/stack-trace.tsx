import { ChevronRight } from 'lucide-react'
import { shorten } from '../shorten.ts'
import type { FrameView } from './event-view.ts'
import { StackFrame } from './stack-frame.tsx'

type Props = { frames: FrameView[]; isOpen: boolean; isFolded?: boolean; prefix?: string | undefined }

/** Frames, newest first. Runs of framework frames fold into one line; the first in-app frame is open. */
export function StackTrace({ frames, isOpen, isFolded = true, prefix }: Props) {
  const openAt = isOpen ? firstFrameWithSource(frames) : -1
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

/** The anchor of the first frame with the same advice, unless it is this one. */
function sameAdvice(frames: FrameView[], index: number, prefix: string | undefined): string | undefined {
  const first = frames.findIndex(({ advice }) => advice !== null && advice === frames[index]?.advice)
  return first >= 0 && first < index && prefix ? `#${prefix}-${first}` : undefined
}

function firstFrameWithSource(frames: FrameView[]): number {
  const own = frames.findIndex(frame => frame.isInApp && frame.source.length > 0)
  return own >= 0 ? own : frames.findIndex(frame => frame.source.length > 0)
}

type FrameRun =
  | { kind: 'frame'; index: number; frame: FrameView }
  | { kind: 'fold'; index: number; frames: FrameView[] }

/** Folds two or more framework frames in a row. A stack without in-app frames is not folded. */
export function foldFrames(frames: FrameView[]): FrameRun[] {
  if (!frames.some(frame => frame.isInApp)) return frames.map((frame, index) => ({ kind: 'frame', index, frame }))
  const runs: FrameRun[] = []
  for (let index = 0; index < frames.length; ) {
    const length = libraryRun(frames, index)
    const frame = frames[index]
    if (length > 1) runs.push({ kind: 'fold', index, frames: frames.slice(index, index + length) })
    else if (frame) runs.push({ kind: 'frame', index, frame })
    index += Math.max(1, length)
  }
  return runs
}

function libraryRun(frames: FrameView[], start: number): number {
  let end = start
  while (frames[end]?.isInApp === false) end++
  return end - start
}

const maxNames = 4

/** The packages of a folded run. */
function packageNames(frames: FrameView[]): string {
  const names = new Set(frames.map(({ path }) => packageOf(path)).filter(Boolean))
  return shorten([...names].slice(0, maxNames).join(', '), 120)
}

function packageOf(path: string): string {
  const inside = path.split('node_modules/').at(-1) ?? ''
  if (inside !== path) return /^(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0] ?? ''
  return path.startsWith('node:') ? path : ''
}
