import type { ReactErrorExplanation } from '#domain/events/explain-event.ts'
import { Facts, Section } from '../page-parts.tsx'
import { shorten } from '../shorten.ts'
import type { GroupView, NoteView } from './event-view.ts'

/** Names and values. URLs in them are untrusted and never become links. */
export function FieldGroup({ group }: { group: GroupView }) {
  return (
    <div className="group">
      <h3>{shorten(group.title, 80)}</h3>
      <Facts
        isWide
        facts={group.fields.map(({ name, value }) => ({
          label: shorten(name, 80),
          value: <span className="mono">{shorten(value, 600)}</span>,
        }))}
      />
      {group.hidden > 0 ? (
        <p className="t3">{group.hidden.toLocaleString('en-US')} more in the JSON download.</p>
      ) : null}
    </div>
  )
}

const noteLabels: Record<string, string> = {
  scrubbed: 'removed: private data',
  trimmed: 'shortened',
  clamped: 'limited to the allowed range',
  invalid: 'dropped: invalid value',
  depth: 'dropped: nested too deep',
}
const maxShown = 100

/** The changes made before the event was stored, so that removed values are not mistaken for empty ones. */
export function NoteList({ notes, dropped }: { notes: NoteView[]; dropped: number }) {
  const more = Math.max(0, notes.length - maxShown) + dropped
  return (
    <>
      <dl className="facts wide">
        {notes.slice(0, maxShown).map((note, index) => (
          <div key={index}>
            <dt className="mono">{shorten(note.path, 120)}</dt>
            <dd>
              {noteLabels[note.kind] ?? note.kind}
              {note.detail ? <span className="t3"> ({shorten(note.detail, 120)})</span> : null}
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 ? <p className="t3">and {more.toLocaleString('en-US')} more</p> : null}
    </>
  )
}

/** Explains a React error code. The arguments are untrusted and shown as text. */
export function ReactError({ explanation }: { explanation: ReactErrorExplanation }) {
  const { code, entry, args, isTruncated, address } = explanation
  return (
    <Section
      id="react-error"
      title={`React error ${code}`}
      note={entry?.name}
      actions={
        <a className="link" href={address} target="_blank" rel="noreferrer noopener">
          React documentation
        </a>
      }
    >
      <div className="react-error">
        {entry ? null : (
          <p>Production builds of React report a code instead of a message. The React documentation explains it.</p>
        )}
        <Facts
          facts={[
            { label: 'What happened', value: entry?.means },
            { label: 'Usual cause', value: entry?.cause },
            { label: 'Next step', value: entry?.next },
            ...args.map(({ label, value }) => ({ label, value: <code>{shorten(value, 400)}</code> })),
          ]}
        />
        {isTruncated ? <p className="t3">The message was cut off, so arguments may be missing.</p> : null}
      </div>
    </Section>
  )
}

type Why = {
  version: number
  hash: string
  summary: string
  parts: { label: string; value: string }[]
  ignored: { what: string; why: string }[]
}

const maxParts = 40

/** Explains the grouping of the event. */
export function WhyGrouped({ why }: { why: Why }) {
  return (
    <Section id="grouping" title="Why these events are grouped">
      <p className="t2 prose">{why.summary}</p>
      <dl className="facts wide why">
        {why.parts.slice(0, maxParts).map(({ label, value }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd className="mono">{shorten(value, 300)}</dd>
          </div>
        ))}
        {why.ignored.slice(0, maxParts).map(({ what, why: reason }, index) => (
          <div key={`ignored-${index}`}>
            <dt>Ignored</dt>
            <dd>
              {shorten(what, 200)} <span className="t3">{shorten(reason, 200)}</span>
            </dd>
          </div>
        ))}
        <dt>Fingerprint</dt>
        <dd>
          <span className="mono">{why.hash.slice(0, 12)}</span> <span className="t3">version {why.version}</span>
        </dd>
      </dl>
    </Section>
  )
}
