import type { ReactNode, Ref } from 'react'
import { Menu, type MenuControl, MenuFields } from '#ui/menu.tsx'
import { type Assignees, archiveChanges, assignChanges, type Change, ownArchive } from './change.ts'

type Props = { label: ReactNode; className: string; control?: Ref<MenuControl> }

/** Common archive conditions and a custom one. The buttons submit the surrounding form. */
export function ArchiveMenu({ label, className, control }: Props) {
  return (
    <Menu label={label} className={className} control={control}>
      <ChangeItems changes={archiveChanges} />
      <MenuFields {...ownArchive}>
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
      </MenuFields>
    </Menu>
  )
}

/** Assigns to the viewer, a member or a team. The buttons submit the surrounding form. */
export function AssignMenu({ label, className, control, ...assignees }: Props & Assignees) {
  return (
    <Menu label={label} className={className} control={control}>
      <ChangeItems changes={assignChanges(assignees)} />
    </Menu>
  )
}

/** The items of a menu. */
export function ChangeItems({ changes }: { changes: readonly Change[] }) {
  return changes.map(({ change, label, isOn }) => (
    <button key={change} type="submit" name="change" value={change} aria-current={isOn ? 'true' : undefined}>
      {label}
    </button>
  ))
}
