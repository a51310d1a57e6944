import type { AuditEntry } from '#domain/audit/list-audit.ts'
import { Blank } from '#ui/blank.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import styles from './audit.module.css'
import { describeAction, describeActor, describeChange } from './describe-entry.ts'

/** Names come from members and tools: hidden characters must not fool the reader. */
const show = (text: string, most: number): string => showHidden(shorten(text, most))

export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  if (entries.length === 0)
    return (
      <div className="pane">
        <Blank title="No entries">Nothing matches the search in this time. Choose a longer time or other words.</Blank>
      </div>
    )
  return (
    <DataTable label="Audit log" look={styles.log ?? ''} columns={['Time', 'Who', 'Action', 'On', 'Change', 'Address']}>
      {entries.map(entry => (
        <tr key={entry.id}>
          <td className="mono t2">
            <Moment at={entry.at} />
          </td>
          <td>{show(describeActor(entry), 40)}</td>
          <td>{describeAction(entry.action)}</td>
          <td title={entry.target}>{entry.isErased ? 'erased' : show(entry.targetLabel || entry.target, 60)}</td>
          <td className="prose t2">
            <Change lines={describeChange(entry)} />
          </td>
          <td className="mono t2" title={entry.agent}>
            {entry.address || '–'}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

const maxLines = 12

function Change({ lines }: { lines: string[] }) {
  if (lines.length < 2) return show(lines[0] ?? '', 200)
  return (
    <ul className={styles.lines}>
      {lines.slice(0, maxLines).map(line => (
        <li key={line}>{show(line, 200)}</li>
      ))}
      {lines.length > maxLines ? <li>and {lines.length - maxLines} more</li> : null}
    </ul>
  )
}
