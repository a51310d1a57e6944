import type { Kysely } from 'kysely'
import { findKind } from '#domain/channels/kinds/list.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Rule, readRuleConfig } from './rule.ts'

type Db = Kysely<ControlSchema>
const maxRules = 10_000

/** The rules of some organizations, or one rule, in the order in which they were made. */
export async function readRules(
  db: Db,
  of: { organizationIds: readonly number[] } | { ruleId: number },
): Promise<Rule[]> {
  const rules = await db
    .selectFrom('alert_rule')
    .select(['id', 'organization_id', 'project_id', 'name', 'config', 'is_on', 'snoozed_until', 'created_at'])
    .$if('ruleId' in of, query => query.where('id', '=', 'ruleId' in of ? of.ruleId : 0))
    .$if('organizationIds' in of, query =>
      query.where('organization_id', 'in', [0, ...('organizationIds' in of ? of.organizationIds : [])]),
    )
    .orderBy('id')
    .limit(maxRules)
    .execute()
  const channels = await db
    .selectFrom('alert_rule_channel')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_rule_channel.rule_id')
    .innerJoin('channel', 'channel.id', 'alert_rule_channel.channel_id')
    .select(['rule_id', 'channel_id', 'channel.kind'])
    .$if('ruleId' in of, query => query.where('rule_id', '=', 'ruleId' in of ? of.ruleId : 0))
    .$if('organizationIds' in of, query =>
      query.where('alert_rule.organization_id', 'in', [0, ...('organizationIds' in of ? of.organizationIds : [])]),
    )
    .orderBy('channel_id')
    .execute()
  const channelsOf = Map.groupBy(channels, row => row.rule_id)
  const idsOf = (ruleId: number, isWanted: (kind: string) => boolean): number[] =>
    (channelsOf.get(ruleId) ?? []).filter(({ kind }) => isWanted(kind)).map(({ channel_id }) => channel_id)
  return rules.map(row => ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    name: row.name,
    config: readRuleConfig(row.config),
    isOn: row.is_on === 1,
    snoozedUntil: row.snoozed_until,
    createdAt: row.created_at,
    channelIds: idsOf(row.id, () => true),
    pagerIds: idsOf(row.id, kind => findKind(kind)?.isPager === true),
  }))
}
