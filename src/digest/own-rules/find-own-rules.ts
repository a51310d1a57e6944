/** The scrubbing rules that members have written, for the records of a batch. */

import { LRUCache } from 'lru-cache'
import type { RuleSet } from '#scrubbing/rules/apply-rules.ts'
import { type CompiledRule, compileRule } from '#scrubbing/rules/compile-rule.ts'
import { createTextHash } from '#scrubbing/rules/hash-text.ts'
import type { Control } from '#store/control/control.ts'

export type OwnRules = {
  /** The rules that were in force at that time; null if there were none. */
  find(projectId: number, receivedAt: number): RuleSet | null
}

type Row = {
  id: number
  kind: 'field' | 'addresses'
  path: string
  pattern: string
  action: 'replace' | 'hash' | 'remove'
  since: number
  until: number | null
  projectId: number
  organizationId: number
}

/** By what they say. Null: an earlier version of Hydrant took the rule, this one does not. */
const compiled = new LRUCache<string, { rule: CompiledRule | null }>({ max: 1_000 })
const hashes = new LRUCache<string, RuleSet['hash']>({ max: 100 })

/** Null if none of the projects has a rule, which is one small query per batch. */
export async function findOwnRules(
  { db }: Control,
  projectIds: ReadonlySet<number>,
  key: string,
): Promise<OwnRules | null> {
  if (projectIds.size === 0) return null
  const rows = await db
    .selectFrom('scrub_rule')
    .innerJoin('project', 'project.organization_id', 'scrub_rule.organization_id')
    .select(['scrub_rule.id', 'kind', 'path', 'pattern', 'action', 'since', 'until'])
    .select(['project.id as projectId', 'scrub_rule.organization_id as organizationId'])
    .where('project.id', 'in', [...projectIds])
    .where(({ or, eb, ref }) =>
      or([eb('scrub_rule.project_id', 'is', null), eb('scrub_rule.project_id', '=', ref('project.id'))]),
    )
    .orderBy('scrub_rule.id')
    .execute()
  if (rows.length === 0) return null
  const byProject = Map.groupBy(rows, row => row.projectId)
  const sets = new Map<string, RuleSet | null>()
  return {
    find: (projectId, receivedAt) => {
      const active = (byProject.get(projectId) ?? []).filter(
        ({ since, until }) => since <= receivedAt && (until === null || receivedAt < until),
      )
      const name = active.map(({ id }) => id).join()
      const before = sets.get(name)
      if (before !== undefined) return before
      const set = ruleSetOf(active, key)
      sets.set(name, set)
      return set
    },
  }
}

function ruleSetOf(rows: readonly Row[], key: string): RuleSet | null {
  const [first] = rows
  if (first === undefined) return null
  const rules = rows.flatMap(row => (row.kind === 'field' ? (compiledRule(row) ?? []) : []))
  const dropsAddresses = rows.some(({ kind }) => kind === 'addresses')
  return { rules, dropsAddresses, hash: hashOf(key, first.organizationId) }
}

function compiledRule(row: Row): CompiledRule | null {
  const name = JSON.stringify([row.path, row.pattern, row.action])
  const before = compiled.get(name)
  if (before !== undefined) return before.rule
  const rule = compileRule(row)
  const entry = { rule: typeof rule === 'string' ? null : rule }
  compiled.set(name, entry)
  return entry.rule
}

function hashOf(key: string, organizationId: number): RuleSet['hash'] {
  const name = `${organizationId}:${key}`
  const before = hashes.get(name)
  if (before !== undefined) return before
  const hash = createTextHash(key, organizationId)
  hashes.set(name, hash)
  return hash
}
