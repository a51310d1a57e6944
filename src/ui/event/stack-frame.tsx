import { ChevronRight, Link2, Stethoscope } from 'lucide-react'
import { ScrollRegion } from '../page-parts.tsx'
import { shorten } from '../shorten.ts'
import type { FrameView, SourceLine as Line } from './event-view.ts'

const maxPath = 300

type Props = {
  frame: FrameView
  isOpen: boolean
  id?: string | undefined
  /** Link to an earlier frame with the same advice. */
  sameAs?: string | undefined
}

/** `id` is the anchor of the frame; without one it can't be linked to. */
export function StackFrame({ frame, isOpen, id, sameAs }: Props) {
  const look = frame.isInApp ? 'frame' : 'frame lib'
  if (frame.source.length === 0 && frame.vars.length === 0) {
    return (
      <div className={look} id={id}>
        <div className="fh">
          <span className="i i-s" />
          <FrameHead frame={frame} />
        </div>
        <Here frame={frame} id={id} />
        <FrameAdvice frame={frame} sameAs={sameAs} />
      </div>
    )
  }
  return (
    <details className={look} open={isOpen} id={id}>
      <summary className="fh">
        <ChevronRight className="i i-s tri" aria-hidden="true" />
        <FrameHead frame={frame} />
      </summary>
      <Here frame={frame} id={id} />
      <FrameAdvice frame={frame} sameAs={sameAs} />
      {frame.source.length > 0 ? (
        <ScrollRegion className="src" label={`Source of ${shorten(frame.name, 80)}`}>
          {frame.source.map(line => (
            <SourceLine key={line.number} line={line} />
          ))}
        </ScrollRegion>
      ) : null}
      {frame.vars.length > 0 ? (
        <dl className="vars">
          {frame.vars.map(({ name, value }, index) => (
            <div key={index}>
              <dt>{shorten(name, 60)}</dt>
              <dd title={shorten(value, 600)}>{shorten(value, 300)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </details>
  )
}

function FrameHead({ frame }: { frame: FrameView }) {
  return (
    <>
      <span className="fn">{shorten(frame.name, maxPath)}</span>
      <span className="fp" title={shorten(frame.path, maxPath)}>
        <bdi>
          {shorten(frame.path, maxPath)}
          {frame.line === null ? null : <em>:{frame.line}</em>}
          {frame.column === null ? null : <em>:{frame.column}</em>}
        </bdi>
      </span>
    </>
  )
}

/** Rendered outside of the summary, because a link inside would toggle the frame. */
function Here({ frame, id }: { frame: FrameView; id: string | undefined }) {
  if (!id) return null
  return (
    <a className="here" href={`#${id}`} aria-label={`Link to ${shorten(frame.name, 80)}`}>
      <Link2 className="i i-s" aria-hidden="true" />
    </a>
  )
}

/** Why a frame is still minified, and what to do. Later frames with the same reason link to the first one. */
function FrameAdvice({ frame, sameAs }: { frame: FrameView; sameAs: string | undefined }) {
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

function SourceLine({ line }: { line: Line }) {
  return (
    <div className={line.isHere ? 'l at' : 'l'}>
      <i>{line.number}</i>
      <span>
        {line.tokens
          ? line.tokens.map(({ text, look }, index) =>
              look ? (
                <span key={index} className={look}>
                  {text}
                </span>
              ) : (
                text
              ),
            )
          : line.text || ' '}
      </span>
    </div>
  )
}
