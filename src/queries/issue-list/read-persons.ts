import type { SearchTerm } from '#search/search-term.ts'
import { listTeams } from '../list-teams.ts'
import type { Viewer } from '../viewer.ts'
import type { Persons } from './issue-conditions.ts'

/** Who is meant by the mail addresses and team names of a search. Only the viewer's own organisation can be. */
export async function readPersons(viewer: Viewer, terms: readonly SearchTerm[]): Promise<Persons> {
  const asked = terms.flatMap(term =>
    term.kind === 'field' && term.key === 'assigned'
      ? term.values.map(value => (value.parts[0] ?? '').toLowerCase())
      : [],
  )
  const [people, teams] = await Promise.all([
    readPeople(
      viewer,
      asked.filter(name => name.includes('@')),
    ),
    asked.some(name => name.startsWith('#')) ? listTeams(viewer) : [],
  ])
  return {
    me: viewer.user.id,
    byEmail: new Map(people.map(row => [row.email.toLowerCase(), row.id])),
    teamBySlug: new Map(teams.map(({ slug, id }) => [slug, id])),
    projects: viewer.projects,
  }
}

async function readPeople(viewer: Viewer, emails: string[]) {
  if (emails.length === 0) return []
  return viewer.control.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email'])
    .where('member.organization_id', '=', viewer.organization.id)
    .where('user.email', 'in', emails)
    .execute()
}
