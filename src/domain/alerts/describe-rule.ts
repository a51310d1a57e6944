/** A rule as a sentence: what the list and the editor print. */
import { formatWhole } from '#lib/format-whole.ts'
import { timeInWords } from '#lib/time-words.ts'
import { canLackData, describeMetric, describeNoData } from './metric-words.ts'
import type { CountCondition, RuleConfig } from './rule.ts'

const triggerWords: Record<RuleConfig['when'][number], string> = {
  'new-issue': 'a new issue is seen',
  regression: 'a resolved issue is seen again',
  escalation: 'an issue escalates',
  resolved: 'an issue is resolved',
  incident: 'an incident opens or closes',
}

export function describeRule(config: RuleConfig): string {
  const when = [
    ...config.when.map(trigger => triggerWords[trigger]),
    ...config.counts.map(describeCount),
    ...(config.metric ? [describeMetric(config.metric)] : []),
  ]
  const filters = [
    config.filter.trim() === '' ? '' : `matching ${config.filter.trim()}`,
    config.environments.length === 0 ? '' : `in ${config.environments.join(', ')}`,
    config.atMostEveryMs === 0 ? '' : `at most once per ${shortTime(config.atMostEveryMs)}`,
    config.metric === null || !canLackData(config.metric) ? '' : describeNoData(config.metric),
    config.quiet === null ? '' : `held from ${config.quiet.from} to ${config.quiet.to} ${config.quiet.zone}`,
  ].filter(Boolean)
  return [`When ${when.length === 0 ? 'nothing' : joinWords(when)}`, ...filters].join(', ')
}

export function describeCount({ of, above, percentMore, withinMs }: CountCondition): string {
  const window = shortTime(withinMs)
  if (percentMore === null) return `an issue has more than ${formatWhole(above)} ${of} in ${window}`
  const least = above > 0 ? ` and more than ${formatWhole(above)}` : ''
  return `an issue has ${percentMore} % more ${of} in ${window} than in the ${window} before${least}`
}

/** `30 minutes`, but `hour` for one hour. */
const shortTime = (ms: number): string => timeInWords(ms).replace(/^1 /, '')

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
