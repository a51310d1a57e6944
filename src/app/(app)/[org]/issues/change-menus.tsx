import { Menu, MenuFields } from '#ui/menu.tsx'

const archives = [
  { change: 'archive:until_escalating', label: 'Until it escalates' },
  { change: 'archive:forever', label: 'Forever' },
  { change: 'archive:until_events:100', label: 'Until 100 more events' },
  { change: 'archive:until_users:10', label: 'Until 10 more users' },
  { change: 'archive:until_date:1', label: 'For a day' },
  { change: 'archive:until_date:7', label: 'For a week' },
]

/** Common archive conditions and a custom one. The buttons submit the surrounding form. */
export function ArchiveMenu({ label, className }: { label: React.ReactNode; className: string }) {
  return (
    <Menu label={label} className={className}>
      {archives.map(({ change, label: text }) => (
        <button key={change} type="submit" name="change" value={change}>
          {text}
        </button>
      ))}
      <MenuFields>
        <input
          className="inp"
          type="number"
          name="amount"
          min={1}
          max={1_000_000_000}
          defaultValue={1_000}
          aria-label="Amount"
        />
        <select className="inp" name="unit" defaultValue="events" aria-label="Unit">
          <option value="events">more events</option>
          <option value="users">more users</option>
          <option value="days">days</option>
        </select>
        <button type="submit" name="change" value="archive:own">
          Archive until then
        </button>
      </MenuFields>
    </Menu>
  )
}

type AssignMenuProps = {
  label: React.ReactNode
  className: string
  assignees: { id: string; name: string }[]
  /** The viewer's own assignee id. */
  me: string
  /** The current assignee; null for several issues. */
  current: string | null
}

/** Assigns to the viewer, a member or a team. The buttons submit the surrounding form. */
export function AssignMenu({ label, className, assignees, me, current }: AssignMenuProps) {
  const others = assignees.filter(({ id }) => id !== me)
  return (
    <Menu label={label} className={className}>
      <Assign id={me} name="To me" isOn={current === me} />
      {others.map(({ id, name }) => (
        <Assign key={id} id={id} name={name} isOn={current === id} />
      ))}
      {current === '' ? null : <Assign id="" name="Unassign" isOn={false} />}
    </Menu>
  )
}

function Assign({ id, name, isOn }: { id: string; name: string; isOn: boolean }) {
  return (
    <button type="submit" name="change" value={`assign:${id}`} aria-current={isOn ? 'true' : undefined}>
      {name}
    </button>
  )
}
