'use client'
import { ConfirmButton } from '#ui/confirm-button.tsx'
import { Menu } from '#ui/menu.tsx'

type Props = {
  team: { id: number; slug: string; name: string; userIds: string[] }
  people: { id: string; name: string }[]
  organizationSlug: string
  mayWrite: boolean
  change: (form: FormData) => void
}

/** A team and who is in it. Every button is one of its form, so that it works without script. */
export function TeamRow({ team, people, organizationSlug, mayWrite, change }: Props) {
  const isIn = (id: string) => team.userIds.includes(id)
  const names = people.filter(({ id }) => isIn(id)).map(({ name }) => name)
  return (
    <li>
      <span className="mono strong">#{team.slug}</span>
      <span className="t2">{names.length === 0 ? 'nobody yet' : names.join(', ')}</span>
      {mayWrite ? (
        <form action={change} className="acts">
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
          <ConfirmButton
            className="btn s danger"
            label={`Delete team #${team.slug}`}
            question={`Delete team #${team.slug}?`}
            effect="Issues assigned to it become unassigned. Its members stay in the organization."
            verb="Delete team"
            name="change"
            value="delete"
          >
            Delete
          </ConfirmButton>
        </form>
      ) : null}
    </li>
  )
}
