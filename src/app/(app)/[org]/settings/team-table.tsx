'use client'
import { useActionState } from 'react'
import type { listMembers } from '#queries/list-members.ts'
import type { Team } from '#queries/list-teams.ts'
import { ActionToast } from '#ui/toast/action-toast.tsx'
import { idle } from '#web/action-state.ts'
import { changeTeam } from './actions.ts'
import { TeamRow } from './team-row.tsx'

type Props = {
  teams: Team[]
  members: Awaited<ReturnType<typeof listMembers>>
  organizationSlug: string
  mayWrite: boolean
}

/** What became of a change is told here, because the row of a deleted team is gone by then. */
export function TeamTable({ teams, members, organizationSlug, mayWrite }: Props) {
  const [state, change] = useActionState(changeTeam, idle)
  const people = members.map(({ id, name }) => ({ id, name }))
  return (
    <>
      {teams.length === 0 ? (
        <p className="t2">No team yet. Issues can be assigned to people; a team is for those that belong to several.</p>
      ) : (
        <ul className="teams">
          {teams.map(team => (
            <TeamRow key={team.id} {...{ team, people, organizationSlug, mayWrite, change }} />
          ))}
        </ul>
      )}
      <ActionToast state={state} />
    </>
  )
}
