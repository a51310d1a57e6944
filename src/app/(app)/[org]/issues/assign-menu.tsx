import { Menu } from '#ui/menu.tsx'

export type AssignMenuProps = {
  label: React.ReactNode
  className: string
  assignees: { id: string; name: string }[]
  /** The viewer's own id among them. */
  me: string
  /** Who has it now; null where that is not one answer. */
  current: string | null
}

/** To me, to nobody, to people and to teams. Buttons of the form around it. */
export function AssignMenu({ label, className, assignees, me, current }: AssignMenuProps) {
  const others = assignees.filter(({ id }) => id !== me)
  return (
    <Menu label={label} className={className}>
      <Assign id={me} name="To me" isOn={current === me} />
      {others.map(({ id, name }) => (
        <Assign key={id} id={id} name={name} isOn={current === id} />
      ))}
      {current === '' ? null : <Assign id="" name="To nobody" isOn={false} />}
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
