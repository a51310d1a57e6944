/** Scrubbing rules of an organization and its projects, and the switch that stores no IP addresses. */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { compileRule, type RuleFault, type ScrubRule } from '#scrubbing/rules/compile-rule.ts'
import { scopeControl } from '#store/control/scoped-control.ts'

/** The organization with all its projects if `projectId` is null. */
type Target = { organizationId: number; projectId: number | null }

type AddResult = { ok: true; id: number } | { ok: false; code: RuleFault | 'project_not_found' | 'too_many_rules' }
type EndResult = { ok: true } | { ok: false; code: 'rule_not_found' }
type SwitchResult = { ok: true } | { ok: false; code: 'project_not_found' }

/**
 * Milliseconds until a change takes effect. Digest scrubs a record by the rules at its time of receipt, and must find the same rules when
 * it processes the record again: so every node has to read the change before it applies.
 */
const leadMs = 3_000
/** Of one organization or one project: each rule is tried on every text. */
export const maxRules = 30

export function addScrubRule(context: CommandContext, target: Target, rule: ScrubRule): Promise<AddResult> {
  const fault = compileRule(rule)
  if (typeof fault === 'string') return Promise.resolve({ ok: false, code: fault })
  return inTransaction<AddResult>(context, async inner => {
    if (!(await isKnown(inner, target))) return { ok: false, code: 'project_not_found' }
    const rules = await currentRules(inner, target).select('id').where('kind', '=', 'field').execute()
    if (rules.length >= maxRules) return { ok: false, code: 'too_many_rules' }
    const path = rule.path.trim()
    const { id } = await insert(inner, target, { kind: 'field', path, pattern: rule.pattern, action: rule.action })
    const detail = { path, pattern: rule.pattern, action: rule.action }
    await audit(inner, target, 'scrub_rule.create', `scrub_rule:${id}`, detail)
    return { ok: true, id }
  })
}

/** Ends a rule in a few seconds. Its row stays, because it applies to what was received before. */
export function endScrubRule(context: CommandContext, target: Target, ruleId: number): Promise<EndResult> {
  return inTransaction<EndResult>(context, async inner => {
    const rule = await currentRules(inner, target)
      .select(['id', 'path', 'pattern', 'action'])
      .where('id', '=', ruleId)
      .where('kind', '=', 'field')
      .executeTakeFirst()
    if (rule === undefined) return { ok: false, code: 'rule_not_found' }
    await end(inner, rule.id)
    const { path, pattern, action } = rule
    await audit(inner, target, 'scrub_rule.end', `scrub_rule:${ruleId}`, { path, pattern, action })
    return { ok: true }
  })
}

/** Whether IP addresses of clients are stored. A project can't store them if its organization doesn't. */
export function switchAddresses(context: CommandContext, target: Target, isStored: boolean): Promise<SwitchResult> {
  return inTransaction<SwitchResult>(context, async inner => {
    if (!(await isKnown(inner, target))) return { ok: false, code: 'project_not_found' }
    const current = await currentRules(inner, target).select('id').where('kind', '=', 'addresses').execute()
    if (isStored === (current.length === 0)) return { ok: true }
    if (isStored) for (const { id } of current) await end(inner, id)
    else await insert(inner, target, { kind: 'addresses', path: '', pattern: '', action: 'remove' })
    await audit(inner, target, 'scrub_rule.addresses', targetName(target), { stored: isStored ? 'yes' : 'no' })
    return { ok: true }
  })
}

async function isKnown({ db }: CommandContext, { organizationId, projectId }: Target): Promise<boolean> {
  if (projectId === null) return true
  const control = scopeControl(db, { organizationId, projectIds: [projectId] })
  return (await control.projects().select('id').executeTakeFirst()) !== undefined
}

/** Rules that have no end yet: an ended one applies for some seconds more, but can't be ended again. */
const currentRules = ({ db }: CommandContext, { organizationId, projectId }: Target) =>
  db
    .selectFrom('scrub_rule')
    .where('organization_id', '=', organizationId)
    .where('project_id', projectId === null ? 'is' : '=', projectId)
    .where('until', 'is', null)

type NewRule = { kind: 'field' | 'addresses' } & Pick<ScrubRule, 'path' | 'pattern' | 'action'>

const insert = ({ db, actor, now }: CommandContext, { organizationId, projectId }: Target, rule: NewRule) =>
  db
    .insertInto('scrub_rule')
    .values({
      organization_id: organizationId,
      project_id: projectId,
      ...rule,
      since: now() + leadMs,
      until: null,
      actor,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

async function end({ db, now }: CommandContext, id: number): Promise<void> {
  await db
    .updateTable('scrub_rule')
    .set({ until: now() + leadMs })
    .where('id', '=', id)
    .execute()
}

const targetName = ({ organizationId, projectId }: Target): string =>
  projectId === null ? `organization:${organizationId}` : `project:${projectId}`

async function audit(
  context: CommandContext,
  target: Target,
  action: string,
  name: string,
  detail: Record<string, string>,
): Promise<void> {
  const of = { ...detail, of: targetName(target) }
  await writeAudit(context, { organizationId: target.organizationId, action, target: name, detail: of })
}

export type ListedRule = ScrubRule & { id: number; projectId: number | null; since: number }
export type ScrubSettings = {
  rules: ListedRule[]
  /** Where no IP addresses are stored: null for all projects. */
  withoutAddresses: (number | null)[]
}

/** The rules of the organization, and those of one project or of all that the viewer sees. */
export async function listScrubRules(viewer: Viewer, projectId?: number): Promise<ScrubSettings> {
  const rows = await viewer.control
    .within(projectId === undefined ? undefined : [projectId])
    .scrubRules()
    .select(['id', 'project_id as projectId', 'kind', 'path', 'pattern', 'action', 'since'])
    .where('until', 'is', null)
    .orderBy('id')
    .limit(2_000)
    .execute()
  return {
    rules: rows.filter(({ kind }) => kind === 'field').map(({ kind: _, ...rule }) => rule),
    withoutAddresses: rows.filter(({ kind }) => kind === 'addresses').map(row => row.projectId),
  }
}
