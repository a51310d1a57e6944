import { ChevronRight } from 'lucide-react'
import { ScrollRegion } from '../scroll-region.tsx'
import { shorten } from '../shorten.ts'
import type { FrameView } from './event-view.ts'

const maxPath = 300

export function StackFrame({ frame, isOpen }: { frame: FrameView; isOpen: boolean }) {
  const look = frame.isInApp ? 'frame' : 'frame lib'
  if (frame.source.length === 0) {
    return (
      <div className={look}>
        <div className="fh">
          <FrameHead frame={frame} />
        </div>
      </div>
    )
  }
  return (
    <details className={look} open={isOpen}>
      <summary className="fh">
        <ChevronRight className="i i-s tri" aria-hidden="true" />
        <FrameHead frame={frame} />
      </summary>
      <ScrollRegion className="src" label={`Source of ${shorten(frame.name, 80)}`}>
        {' '}
        {frame.source.map(line => (
          <div key={line.number} className={line.isHere ? 'l at' : 'l'}>
            <i>{line.number}</i>
            <span>{line.text || ' '}</span>
          </div>
        ))}
      </ScrollRegion>
    </details>
  )
}

function FrameHead({ frame }: { frame: FrameView }) {
  return (
    <>
      <span className="fn">{shorten(frame.name, maxPath)}</span>
      <span className="fp">
        {shorten(frame.path, maxPath)}
        {frame.line === null ? null : <em>:{frame.line}</em>}
        {frame.column === null ? null : <em>:{frame.column}</em>}
      </span>
    </>
  )
}
