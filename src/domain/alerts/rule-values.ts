/** A rule as the audit log tells it: each field in words, so that a reader sees what changed. */
import type { CommandContext } from '#domain/access/command-context.ts'
import { minuteInUtc, timeInWords } from '#lib/time-words.ts'
import { describeCount } from './describe-rule.ts'
import { canLackData, describeLimit, describeMetric, describeNoData } from './metric-words.ts'
import { type RuleConfig, readRuleConfig } from './rule.ts'

type Values = Record<string, string | number | boolean>
type RuleOfAudit = {
  name: string
  project: string
  config: RuleConfig
  isOn: boolean
  channels: readonly string[]
  ownerUserId: string | null
  snoozedUntil: number | null
}

/** What is empty is left out. Owners by id: their name would outlive their erasure. */
export function ruleValues({ name, project, config, isOn, channels, ownerUserId, snoozedUntil }: RuleOfAudit): Values {
  const { when, counts, metric, filter, environments, atMostEveryMs, quiet, followsSettings } = config
  const texts = {
    name,
    project: project || 'all',
    on: isOn,
    when: when.join(', '),
    counts: counts.map(describeCount).join('; '),
    ...(metric && {
      metric: describeMetric(metric),
      'metric warning': metric.warning === null ? '' : describeLimit(metric, metric.warning),
      'metric resolved': metric.resolved === null ? '' : describeLimit(metric, metric.resolved),
      'metric rows at least': metric.leastRows || '',
      'metric no data': canLackData(metric) ? describeNoData(metric) : '',
    }),
    filter: filter.trim(),
    environments: environments.join(', '),
    'at most every': atMostEveryMs === 0 ? 'always' : timeInWords(atMostEveryMs),
    'quiet hours': quiet === null ? '' : `${quiet.from} to ${quiet.to} ${quiet.zone}`,
    'follows settings': followsSettings,
    channels: channels.toSorted().join(', '),
    owner: ownerUserId === null ? '' : `user:${ownerUserId}`,
    'snoozed until': snoozedUntil === null ? '' : minuteInUtc(snoozedUntil),
  }
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''))
}

/** The rule as it is stored now; nothing for one that is not there. */
export async function readRuleValues({ db }: CommandContext, ruleId: number): Promise<Values> {
  const row = await db
    .selectFrom('alert_rule')
    .leftJoin('project', 'project.id', 'alert_rule.project_id')
    .select(['alert_rule.name', 'alert_rule.config', 'is_on', 'owner_user_id', 'snoozed_until', 'project.slug'])
    .where('alert_rule.id', '=', ruleId)
    .executeTakeFirst()
  if (row === undefined) return {}
  const channels = await db
    .selectFrom('alert_rule_channel')
    .innerJoin('channel', 'channel.id', 'alert_rule_channel.channel_id')
    .select('channel.name')
    .where('rule_id', '=', ruleId)
    .execute()
  return ruleValues({
    name: row.name,
    project: row.slug ?? '',
    config: readRuleConfig(row.config),
    isOn: row.is_on === 1,
    channels: channels.map(each => each.name),
    ownerUserId: row.owner_user_id,
    snoozedUntil: row.snoozed_until,
  })
}
