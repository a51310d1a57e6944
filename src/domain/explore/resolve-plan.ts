/** Resolves terms that depend on the viewer and the time, such as `release:latest`: the newest release of each project. */
import type { Viewer } from '#domain/access/viewer.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import type { SearchTerm } from '#search/search-term.ts'
import type { Clause } from './parse-conditions.ts'
import type { Plan } from './plan-exploration.ts'

export async function resolvePlan(
  viewer: Viewer,
  plan: Plan,
  projectIds: readonly number[] | undefined,
): Promise<Plan> {
  const where = await resolveClause(viewer, plan.conditions.where, projectIds)
  return { ...plan, conditions: { ...plan.conditions, where } }
}

async function resolveClause(viewer: Viewer, clause: Clause, projectIds?: readonly number[]): Promise<Clause> {
  if (clause.kind === 'not') return { ...clause, of: await resolveClause(viewer, clause.of, projectIds) }
  if (clause.kind !== 'one')
    return { ...clause, of: await Promise.all(clause.of.map(each => resolveClause(viewer, each, projectIds))) }
  const { condition } = clause
  if (condition.kind !== 'searched' || condition.term.key !== 'release') return clause
  const [term] = await resolveTerms(viewer, [condition.term], projectIds)
  return term === undefined ? clause : clauseOf(term)
}

function clauseOf(term: SearchTerm): Clause {
  if (term.kind === 'text') return { kind: 'one', condition: { kind: 'text', term } }
  if (term.kind === 'field') return { kind: 'one', condition: { kind: 'searched', term } }
  const group: Clause = { kind: term.match, of: term.of.map(clauseOf) }
  return term.isNegated ? { kind: 'not', of: group } : group
}
