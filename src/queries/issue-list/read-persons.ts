import type { SearchTerm } from '#search/search-term.ts'
import type { Viewer } from '../viewer.ts'
import type { Persons } from './issue-conditions.ts'

/** Who is meant by the mail addresses of a search. Only members of the viewer's organisation can be. */
export async function readPersons(viewer: Viewer, terms: readonly SearchTerm[]): Promise<Persons> {
  const emails = terms.flatMap(term =>
    term.kind === 'field' && term.key === 'assigned'
      ? term.values.map(value => (value.parts[0] ?? '').toLowerCase())
      : [],
  )
  const asked = emails.filter(email => email.includes('@'))
  const rows =
    asked.length === 0
      ? []
      : await viewer.control.db
          .selectFrom('member')
          .innerJoin('user', 'user.id', 'member.user_id')
          .select(['user.id', 'user.email'])
          .where('member.organization_id', '=', viewer.organization.id)
          .where('user.email', 'in', asked)
          .execute()
  return {
    me: viewer.user.id,
    byEmail: new Map(rows.map(row => [row.email.toLowerCase(), row.id])),
    projects: viewer.projects,
  }
}
