import { ChevronRight } from 'lucide-react'
import type { ReactErrorExplanation } from '#domain/events/explain-event.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { Facts, Section } from '../page-parts.tsx'
import { shorten } from '../shorten.ts'
import type { GroupView, NoteView } from './event-view.ts'

/** Names and values that can be folded. URLs in them are untrusted and never become links. */
export function FieldGroup({ group, isOpen = false }: { group: GroupView; isOpen?: boolean }) {
  return (
    <details className="group" open={isOpen}>
      <summary>
        <ChevronRight className="i i-s tri" aria-hidden="true" />
        <h3>{shorten(group.title, 80)}</h3>
        <span className="t3 cut">
          {shorten(group.fields.map(({ name, value }) => `${name} ${value}`).join(', '), 120)}
        </span>
      </summary>
      <Facts
        isWide
        facts={group.fields.map(({ name, value }) => ({
          label: shorten(name, 80),
          value: <span className="mono">{shorten(value, 600)}</span>,
        }))}
      />
      {group.hidden > 0 ? <p className="t3">{formatWhole(group.hidden)} more in the JSON download.</p> : null}
    </details>
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

/**
 * The changes made before the event was stored, so that removed values are not mistaken for empty ones. A large event has dozens
 * of the same kind, which take one line.
 */
export function NoteList({ notes, dropped }: { notes: NoteView[]; dropped: number }) {
  const kinds = [...Map.groupBy(notes.slice(0, maxShown), ({ kind }) => kind)]
  const more = Math.max(0, notes.length - maxShown) + dropped
  return (
    <>
      {kinds.map(([kind, same]) => (
        <details key={kind} className="notes">
          <summary>
            <ChevronRight className="i i-s tri" aria-hidden="true" />
            <span>
              {same.length} {noteLabels[kind] ?? kind}
            </span>
            <span className="t3 mono cut">{shorten(same.map(({ path }) => path).join(', '), 160)}</span>
          </summary>
          <dl className="facts wide">
            {same.map(({ path, detail }, index) => (
              <div key={index}>
                <dt className="mono">{shorten(path, 120)}</dt>
                <dd className="t3">{shorten(detail, 120)}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
      {more > 0 ? <p className="t3">and {formatWhole(more)} more</p> : null}
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
      <details className="notes">
        <summary>
          <ChevronRight className="i i-s tri" aria-hidden="true" />
          Show the parts of the fingerprint
        </summary>
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
      </details>
    </Section>
  )
}
