'use client'
import { useActionState } from 'react'
import { Menu } from '#ui/menu.tsx'
import { idle } from '#web/action-state.ts'
import { changeTeam } from './actions.ts'

type Props = {
  team: { id: number; slug: string; name: string; userIds: string[] }
  people: { id: string; name: string }[]
  organizationSlug: string
  mayWrite: boolean
}

/** A team and who is in it. Every button is one of its form, so that it works without script. */
export function TeamRow({ team, people, organizationSlug, mayWrite }: Props) {
  const [state, action] = useActionState(changeTeam, idle)
  const isIn = (id: string) => team.userIds.includes(id)
  const names = people.filter(({ id }) => isIn(id)).map(({ name }) => name)
  return (
    <li>
      <span className="mono strong">#{team.slug}</span>
      <span className="t2">{names.length === 0 ? 'nobody yet' : names.join(', ')}</span>
      {mayWrite ? (
        <form action={action} className="acts">
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="team" value={team.id} />
          <Menu label="Members" name={`Members of ${team.slug}`} className="btn s">
            {people.map(({ id, name }) => (
              <button
                key={id}
                type="submit"
                name="change"
                value={`${isIn(id) ? 'remove' : 'add'}:${id}`}
                aria-current={isIn(id) ? 'true' : undefined}
              >
                {isIn(id) ? `Remove ${name}` : `Add ${name}`}
              </button>
            ))}
          </Menu>
          <button type="submit" name="change" value="delete" className="btn s danger">
            Delete
          </button>
        </form>
      ) : null}
      {state.kind === 'failed' ? (
        <span className="bad" role="alert">
          {state.message}
        </span>
      ) : null}
    </li>
  )
}
