import { clipText } from '#lib/text.ts'
/** A change of issues that one click or command makes: the value of its button in the form. */
export type Change = {
  change: string
  label: string
  /** It is the current value. */
  isOn?: boolean
}

export const resolveChange: Change = { change: 'resolve:now', label: 'Resolve' }
export const reopenChange: Change = { change: 'reopen', label: 'Reopen' }

export const archiveChanges: readonly Change[] = [
  { change: 'archive:until_escalating', label: 'Until it escalates' },
  { change: 'archive:forever', label: 'Forever' },
  { change: 'archive:until_events:100', label: 'Until 100 more events' },
  { change: 'archive:until_users:10', label: 'Until 10 more users' },
  { change: 'archive:until_date:1', label: 'For a day' },
  { change: 'archive:until_date:7', label: 'For a week' },
]

/** With the amount and the unit in the menu's fields. */
export const ownArchive: Change = { change: 'archive:own', label: 'Archive until then' }

export type Assignees = {
  assignees: { id: string; name: string }[]
  /** The viewer's own assignee id. */
  me: string
  /** The current assignee; null for several issues. */
  current: string | null
}

/** To the viewer, another member or a team, or unassigned. */
export function assignChanges({ assignees, me, current }: Assignees): Change[] {
  const to = (id: string, label: string): Change => ({
    change: `assign:${id}`,
    label,
    isOn: id !== '' && current === id,
  })
  const others = assignees.filter(({ id }) => id !== me)
  return [
    to(me, 'To me'),
    ...others.map(({ id, name }) => to(id, name)),
    ...(current === '' ? [] : [to('', 'Unassign')]),
  ]
}

/** Later than now: in the next release, or in the one that was seen last. */
export function laterResolutions(release: string): Change[] {
  return [
    { change: 'resolve:next_release', label: 'In the next release' },
    ...(release ? [{ change: `resolve:in_release:${release}`, label: `In ${clipText(release, 60)}` }] : []),
  ]
}

export function priorityChanges(current: string | null): Change[] {
  return ['high', 'medium', 'low'].map(priority => ({
    change: `priority:${priority}`,
    label: `Priority ${priority}`,
    isOn: priority === current,
  }))
}
