import type { Viewer } from '#domain/access/viewer.ts'
import { type RuleConfig, readRuleConfig } from './rule.ts'

const maxRules = 1_000
const dayMs = 86_400_000
export const daysShown = 14

export type ListedRule = {
  id: number
  name: string
  config: RuleConfig
  isOn: boolean
  snoozedUntil: number | null
  /** Empty for all projects. */
  projectSlug: string
  projectId: number | null
  ownerUserId: string | null
  ownerName: string
  channels: { id: number; name: string; kind: string; state: string }[]
  /** Messages by day, oldest first. */
  days: number[]
  lastAt: number | null
  createdAt: number
  updatedAt: number
}

/** The rules of the organization that the viewer may see, by name, or one of them. */
export async function listRules(viewer: Viewer, ruleId?: number): Promise<ListedRule[]> {
  const today = Math.floor(viewer.now / dayMs)
  const [rules, channels, days] = await Promise.all([
    viewer.control
      .alertRules()
      .leftJoin('user', 'user.id', 'alert_rule.owner_user_id')
      .select([
        'alert_rule.id',
        'alert_rule.name',
        'alert_rule.config',
        'alert_rule.is_on',
        'alert_rule.snoozed_until',
        'alert_rule.project_id',
        'alert_rule.owner_user_id',
        'alert_rule.created_at',
        'alert_rule.updated_at',
        'user.name as owner_name',
      ])
      .$if(ruleId !== undefined, query => query.where('alert_rule.id', '=', ruleId ?? 0))
      .orderBy('alert_rule.name')
      .limit(maxRules)
      .execute(),
    viewer.control
      .alertRuleChannels()
      .select(['rule_id', 'channel.id', 'channel.name', 'channel.kind', 'channel.state'])
      .orderBy('channel.name')
      .execute(),
    viewer.control.alertRuleDays().select(['rule_id', 'day', 'messages', 'last_at']).orderBy('day').execute(),
  ])
  const channelsOf = Map.groupBy(channels, row => row.rule_id)
  const daysOf = Map.groupBy(days, row => row.rule_id)
  return rules.map(row => {
    const sent = daysOf.get(row.id) ?? []
    return {
      id: row.id,
      name: row.name,
      config: readRuleConfig(row.config),
      isOn: row.is_on === 1,
      snoozedUntil: row.snoozed_until !== null && row.snoozed_until > viewer.now ? row.snoozed_until : null,
      projectSlug: viewer.projects.find(({ id }) => id === row.project_id)?.slug ?? '',
      projectId: row.project_id,
      ownerUserId: row.owner_user_id,
      ownerName: row.owner_name ?? '',
      channels: (channelsOf.get(row.id) ?? []).map(({ id, name, kind, state }) => ({ id, name, kind, state })),
      days: Array.from(
        { length: daysShown },
        (_, index) => sent.find(({ day }) => day === today - daysShown + 1 + index)?.messages ?? 0,
      ),
      lastAt: sent.at(-1)?.last_at ?? null,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  })
}

export async function findRule(viewer: Viewer, ruleId: number): Promise<ListedRule | null> {
  const [rule] = await listRules(viewer, ruleId)
  return rule ?? null
}

/** The channels that a rule can send to. */
export async function listRuleChannels(viewer: Viewer) {
  return viewer.control.channels().select(['id', 'name', 'kind', 'state']).orderBy('name').limit(maxRules).execute()
}
