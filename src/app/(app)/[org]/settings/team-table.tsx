import type { listMembers } from '#queries/list-members.ts'
import type { Team } from '#queries/list-teams.ts'
import { TeamRow } from './team-row.tsx'

type Props = {
  teams: Team[]
  members: Awaited<ReturnType<typeof listMembers>>
  organizationSlug: string
  mayWrite: boolean
}

export function TeamTable({ teams, members, organizationSlug, mayWrite }: Props) {
  if (teams.length === 0)
    return (
      <p className="t2">No team yet. Issues can be assigned to people; a team is for those that belong to several.</p>
    )
  const people = members.map(({ id, name }) => ({ id, name }))
  return (
    <ul className="teams">
      {teams.map(team => (
        <TeamRow key={team.id} {...{ team, people, organizationSlug, mayWrite }} />
      ))}
    </ul>
  )
}
