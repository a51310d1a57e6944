import type { IncidentUpdate } from '#domain/alerts/list-incidents.ts'
import { Level } from '#ui/level.tsx'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import styles from './incident.module.css'

type Props = { updates: readonly IncidentUpdate[]; nameOf: (actor: string) => string }

/** What happened, oldest first: what the detector found, and what members did. */
export function IncidentUpdates({ updates, nameOf }: Props) {
  return (
    <ol className={styles.updates}>
      {updates.map(update => (
        <li key={update.id}>
          <span className="t3">
            <Moment at={update.at} />
          </span>
          {update.kind === 'acknowledged' || update.kind === 'comment' ? (
            <span className={styles.dot} aria-hidden="true" />
          ) : (
            <Level level={update.kind === 'closed' ? 'ok' : update.severity === 'critical' ? 'error' : 'warning'} />
          )}
          <Update update={update} name={shorten(nameOf(update.actor), 80)} />
        </li>
      ))}
    </ol>
  )
}

const words = { opened: 'Opened', worsened: 'Worse', improved: 'Better', closed: 'Resolved' } as const

function Update({ update: { kind, reason, actor }, name }: { update: IncidentUpdate; name: string }) {
  if (kind === 'acknowledged') return <span>Acknowledged by {name}</span>
  if (kind === 'comment')
    return (
      <div className={styles.comment}>
        <b>{name}</b>
        <Markdown text={reason} mentionable={[]} me="" />
      </div>
    )
  // Who or what closed it is the whole reason.
  if (kind === 'closed' && (actor !== '' || reason.startsWith('Closed '))) return <span>{shorten(reason, 300)}</span>
  return (
    <span>
      {words[kind]}: {shorten(reason, 300)}
    </span>
  )
}
