import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { jsonOf } from '#lib/json-value.ts'
import type { DetectorGap, DetectorState, IncidentSeverity } from '#store/control/alert-schema.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Limits } from './judge.ts'
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
  /** The rule's metric when it was last judged. Null for a rule without a metric, and before the first time. */
  watch: RuleWatch | null
}
export type RuleWatch = Pick<ControlSchema['detector'], 'value' | 'since'> & {
  state: DetectorState
  gap: DetectorGap | ''
  severity: IncidentSeverity | ''
  judgedAt: number
  limits: Limits | null
}

/** The rules of the organization that the viewer may see, by name, or one of them. */
export async function listRules(viewer: Viewer, ruleId?: number): Promise<ListedRule[]> {
  const today = Math.floor(viewer.now / dayMs)
  const [rules, channels, days, detectors] = await Promise.all([
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
    viewer.control
      .detectors()
      .select(['detector.rule_id', 'detector.state', 'detector.gap', 'detector.severity', 'detector.value'])
      .select(['detector.since', 'detector.judged_at', 'detector.limits'])
      .where('detector.judged_at', '>', 0)
      .execute(),
  ])
  const watchOf = new Map(detectors.map(row => [row.rule_id, readWatch(row)]))
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
      watch: watchOf.get(row.id) ?? null,
    }
  })
}

type WatchRow = Omit<RuleWatch, 'judgedAt' | 'limits'> & { judged_at: number; limits: string }

function readWatch({ state, gap, severity, value, since, judged_at, limits }: WatchRow): RuleWatch {
  const read = limitsSchema.safeParse(jsonOf(limits))
  return { state, gap, severity, value, since, judgedAt: judged_at, limits: read.success ? read.data : null }
}

const limitsSchema = z.object({
  critical: z.number(),
  warning: z.number().nullable(),
  resolved: z.number().nullable(),
})

export async function findRule(viewer: Viewer, ruleId: number): Promise<ListedRule | null> {
  const [rule] = await listRules(viewer, ruleId)
  return rule ?? null
}

/** The channels that a rule can send to. */
export async function listRuleChannels(viewer: Viewer) {
  return viewer.control.channels().select(['id', 'name', 'kind', 'state']).orderBy('name').limit(maxRules).execute()
}
