import { Facts } from '../facts.tsx'
import { shorten } from '../shorten.ts'
import type { GroupView } from './event-view.ts'

/** Name and value, one line each. Nothing that was sent becomes a link: an address may be a trap. */
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
        <p className="t3">{group.hidden.toLocaleString('en-US')} more are in the JSON download.</p>
      ) : null}
    </div>
  )
}
