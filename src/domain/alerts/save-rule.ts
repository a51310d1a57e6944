/** Creates, changes and deletes alert rules. */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { planExploration } from '#domain/explore/plan-exploration.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Metric } from './metric.ts'
import { type RuleConfig, readRuleConfig } from './rule.ts'
import { readRuleValues } from './rule-values.ts'
import { endIncidents, type Measured, saveDetector } from './save-detector.ts'

export type RuleInput = {
  name: string
  projectId: number | null
  config: RuleConfig
  isOn: boolean
  channelIds: readonly number[]
  ownerUserId: string | null
}
export type RuleFault =
  | 'rule_not_found'
  | 'rule_name_missing'
  | 'rule_name_taken'
  | 'rule_without_trigger'
  | 'rule_filter_invalid'
  | 'rule_metric_invalid'
  | 'project_not_found'
  | 'member_not_found'
  | 'channel_not_found'
  | 'rule_follows_mail_only'
type Result = { ok: true; ruleId: number } | { ok: false; code: RuleFault }
/** `scope`: the projects that the actor sees, so that nobody makes or changes rules of a hidden one. Without it, all of the organization. */
type Within = { organizationId: number; scope?: readonly number[] | undefined }

const maxName = 100

/** Creates the rule, or changes the one with the id. */
export function saveRule(
  context: CommandContext,
  { organizationId, scope, ruleId, ...input }: RuleInput & Within & { ruleId: number | null },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    const { db, actor, now } = inner
    const name = input.name.trim().slice(0, maxName)
    if (scope && input.projectId !== null && !scope.includes(input.projectId))
      return { ok: false, code: 'project_not_found' }
    if (ruleId !== null && !(await isRuleInScope(inner, { organizationId, scope, ruleId })))
      return { ok: false, code: 'rule_not_found' }
    const fault = await findFault(inner, { organizationId, scope }, ruleId, { ...input, name })
    if (fault !== null) return { ok: false, code: fault }
    const at = now()
    const before = ruleId === null ? {} : await readRuleValues(inner, ruleId)
    const measured = ruleId === null ? null : await readMeasured(inner, ruleId)
    const values = {
      project_id: input.projectId,
      key: `${input.projectId ?? ''}/${name}`,
      name,
      config: JSON.stringify(input.config),
      is_on: input.isOn ? (1 as const) : (0 as const),
      owner_user_id: input.ownerUserId,
      updated_at: at,
    }
    const saved =
      ruleId === null
        ? await db
            .insertInto('alert_rule')
            .values({
              ...values,
              organization_id: organizationId,
              snoozed_until: null,
              created_by: actor,
              created_at: at,
            })
            .returning('id')
            .executeTakeFirst()
        : await db
            .updateTable('alert_rule')
            .set(values)
            .where('id', '=', ruleId)
            .where('organization_id', '=', organizationId)
            .returning('id')
            .executeTakeFirst()
    if (saved === undefined) return { ok: false, code: 'rule_not_found' }
    const hidden = await listHiddenChannels(inner, { scope, ruleId: saved.id })
    await db.deleteFrom('alert_rule_channel').where('rule_id', '=', saved.id).execute()
    const channelIds = [...new Set([...input.channelIds, ...hidden])]
    if (channelIds.length > 0)
      await db
        .insertInto('alert_rule_channel')
        .values(channelIds.map(channelId => ({ rule_id: saved.id, channel_id: channelId })))
        .execute()
    await saveDetector(inner, { ...input, organizationId, ruleId: saved.id, name }, measured)
    await writeAudit(inner, {
      organizationId,
      action: ruleId === null ? 'rule.create' : 'rule.change',
      target: `rule:${saved.id}`,
      detail: { name },
      ...changedValues(before, await readRuleValues(inner, saved.id)),
    })
    return { ok: true, ruleId: saved.id }
  })
}

async function readMeasured({ db }: CommandContext, ruleId: number): Promise<Measured | null> {
  const row = await db
    .selectFrom('alert_rule')
    .select(['project_id', 'config'])
    .where('id', '=', ruleId)
    .executeTakeFirst()
  return row === undefined ? null : { projectId: row.project_id, config: readRuleConfig(row.config) }
}

type Named = Within & { ruleId: number }

/** Whether whoever sees these projects may change the rule. */
export async function isRuleInScope(
  { db }: CommandContext,
  { organizationId, scope, ruleId }: Named,
): Promise<boolean> {
  const rule = await db
    .selectFrom('alert_rule')
    .select('project_id')
    .where('id', '=', ruleId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (rule === undefined) return false
  return rule.project_id === null || scope === undefined || scope.includes(rule.project_id)
}

/** Channels of private projects that the actor does not see stay with the rule. */
async function listHiddenChannels(
  { db }: CommandContext,
  { scope, ruleId }: Pick<Named, 'scope' | 'ruleId'>,
): Promise<number[]> {
  if (scope === undefined) return []
  const rows = await db
    .selectFrom('alert_rule_channel')
    .innerJoin('channel', 'channel.id', 'alert_rule_channel.channel_id')
    .select('channel.id')
    .where('rule_id', '=', ruleId)
    .where('channel.project_id', 'is not', null)
    .where('channel.project_id', 'not in', [0, ...scope])
    .execute()
  return rows.map(({ id }) => id)
}

async function findFault(
  { db, now }: CommandContext,
  { organizationId, scope }: Within,
  ruleId: number | null,
  { name, projectId, config, channelIds, ownerUserId }: RuleInput,
): Promise<RuleFault | null> {
  if (name === '') return 'rule_name_missing'
  if (config.when.length === 0 && config.counts.length === 0 && config.metric === null) return 'rule_without_trigger'
  if (config.metric !== null && !isMetricValid(config.metric, now())) return 'rule_metric_invalid'
  if (!parseSearch(config.filter).ok) return 'rule_filter_invalid'
  // A name that a hidden rule has is free: who may not see the rule must not learn of it.
  const namesakes = await db
    .selectFrom('alert_rule')
    .select(['id', 'project_id'])
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .execute()
  const seen = namesakes.filter(row => row.project_id === null || (scope?.includes(row.project_id) ?? true))
  const isKept = namesakes.some(row => row.id === ruleId && row.project_id === projectId)
  if (!isKept && seen.some(row => row.id !== ruleId)) return 'rule_name_taken'
  const own = <Row>(found: Row | undefined): boolean => found !== undefined
  if (projectId !== null) {
    const project = await db
      .selectFrom('project')
      .select('id')
      .where('id', '=', projectId)
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!own(project)) return 'project_not_found'
  }
  if (ownerUserId !== null) {
    const owner = await db
      .selectFrom('member')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', ownerUserId)
      .executeTakeFirst()
    if (!own(owner)) return 'member_not_found'
  }
  const known = await db
    .selectFrom('channel')
    .select(['id', 'kind'])
    .where('organization_id', '=', organizationId)
    .where('retired_at', 'is', null)
    .where('id', 'in', [0, ...channelIds])
    .$if(scope !== undefined, query =>
      query.where(({ or, eb }) => or([eb('project_id', 'is', null), eb('project_id', 'in', [0, ...(scope ?? [])])])),
    )
    .execute()
  if (known.length < new Set(channelIds).size) return 'channel_not_found'
  // Such a rule tells of private projects too, because mail goes to members who see them.
  return config.followsSettings && known.some(({ kind }) => kind !== 'email') ? 'rule_follows_mail_only' : null
}

function isMetricValid({ dataset, measure, query }: Metric, now: number): boolean {
  const plan = planExploration({ dataset, fields: [measure, 'count()'], query, sort: [] }, now)
  return !('ok' in plan) && plan.columns.every(({ kind }) => kind === 'aggregate')
}

type Changed = { ok: true } | { ok: false; code: 'rule_not_found' }

export function deleteRule(context: CommandContext, { organizationId, scope, ruleId }: Named): Promise<Changed> {
  return inTransaction<Changed>(context, async inner => {
    if (!(await isRuleInScope(inner, { organizationId, scope, ruleId }))) return { ok: false, code: 'rule_not_found' }
    await endIncidents(inner, ruleId, 'the rule was deleted')
    const gone = await inner.db
      .deleteFrom('alert_rule')
      .where('id', '=', ruleId)
      .where('organization_id', '=', organizationId)
      .returning('name')
      .executeTakeFirst()
    if (gone === undefined) return { ok: false, code: 'rule_not_found' }
    await writeAudit(inner, {
      organizationId,
      action: 'rule.delete',
      target: `rule:${ruleId}`,
      detail: { name: gone.name },
    })
    return { ok: true }
  })
}

/** Until when the rule sends nothing; null ends that. */
export function snoozeRule(
  context: CommandContext,
  { organizationId, scope, ruleId, until }: Named & { until: number | null },
): Promise<Changed> {
  return inTransaction<Changed>(context, async inner => {
    if (!(await isRuleInScope(inner, { organizationId, scope, ruleId }))) return { ok: false, code: 'rule_not_found' }
    const before = await readRuleValues(inner, ruleId)
    const changed = await inner.db
      .updateTable('alert_rule')
      .set({ snoozed_until: until })
      .where('id', '=', ruleId)
      .where('organization_id', '=', organizationId)
      .returning('name')
      .executeTakeFirst()
    if (changed === undefined) return { ok: false, code: 'rule_not_found' }
    if (until !== null && until > inner.now()) await endIncidents(inner, ruleId, 'the rule was snoozed')
    await writeAudit(inner, {
      organizationId,
      action: 'rule.snooze',
      target: `rule:${ruleId}`,
      detail: { name: changed.name },
      ...changedValues(before, await readRuleValues(inner, ruleId)),
    })
    return { ok: true }
  })
}
