import { shorten } from '../shorten.ts'
import type { NoteView } from './event-view.ts'

const words: Record<string, string> = {
  scrubbed: 'removed because it looked private',
  trimmed: 'shortened',
  clamped: 'moved into the allowed range',
  invalid: 'left out, because it was not understood',
  depth: 'cut off, nested too deep',
}
const maxShown = 100

/** What was changed before the event was stored, so that absence is not mistaken for emptiness. */
export function NoteList({ notes, dropped }: { notes: NoteView[]; dropped: number }) {
  const more = Math.max(0, notes.length - maxShown) + dropped
  return (
    <>
      <dl className="facts wide">
        {notes.slice(0, maxShown).map((note, index) => (
          <div key={index} className="contents">
            <dt className="mono">{shorten(note.path, 120)}</dt>
            <dd>
              {words[note.kind] ?? note.kind}
              {note.detail ? <span className="t3"> ({shorten(note.detail, 120)})</span> : null}
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 ? <p className="t3">and {more.toLocaleString('en-US')} more</p> : null}
    </>
  )
}
