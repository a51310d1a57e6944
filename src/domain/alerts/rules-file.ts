/** Channels and rules as a file has them: every key of the editor, in words that read well in a file. */
import { z } from 'zod'
import { readDuration } from '#search/read-value.ts'
import { limitFault, noDataChoices } from './metric.ts'
import { metricPresets } from './metric-words.ts'
import { type RuleConfig, ruleConfig, triggers } from './rule.ts'

/** `30m`, `1h`, `7d`. */
const duration = z.string().transform((text, check) => {
  const ms = readDuration(text.trim())
  if (ms !== null && ms !== undefined) return ms
  check.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a duration such as 30m, 1h or 7d` })
  return z.NEVER
})
/** `2026-12-01T08:00Z`. */
const moment = z.string().transform((text, check) => {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  if (!Number.isNaN(at)) return at
  check.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not a time such as 2026-12-01T08:00Z` })
  return z.NEVER
})
const name = z.string().trim().min(1).max(100)
const one = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(given => (Array.isArray(given) ? given : [given]), z.array(item))

/** `of` names a number of the editor; or a dataset and a function of the explore language. */
const fileMetric = z.strictObject({
  of: z.enum(metricPresets.map(({ id }) => id)).optional(),
  dataset: z.enum(['errors', 'spans', 'logs']).optional(),
  measure: z.string().optional(),
  query: z.string().default(''),
  window: duration.default(5 * 60_000),
  compare: z.enum(['value', 'usual', 'previous-release']).default('value'),
  above: z.number().optional(),
  below: z.number().optional(),
  warning: z.number().optional(),
  resolved: z.number().optional(),
  for_minutes: z.number().int().optional(),
  least_rows: z.number().int().optional(),
  no_data: z.enum(noDataChoices).default('resolve'),
  no_data_after: duration.optional(),
})

const fileRule = z.strictObject({
  name,
  project: z.string().optional(),
  when: one(z.enum(triggers)).default([]),
  counts: one(
    z.strictObject({
      of: z.enum(['events', 'users']).default('events'),
      above: z.number().int().min(0),
      within: duration,
      percent_more: z.number().int().min(1).optional(),
    }),
  ).default([]),
  metric: fileMetric.optional(),
  filter: z.string().default(''),
  environments: one(z.string()).default([]),
  at_most_every: duration.default(30 * 60_000),
  quiet: z.strictObject({ from: z.string(), to: z.string(), zone: z.string().default('UTC') }).optional(),
  channels: one(z.string()).default([]),
  follows_settings: z.boolean().default(false),
  owner: z.string().optional(),
  on: z.boolean().default(true),
  snoozed_until: moment.optional(),
})

/** All settings of a channel are text; which ones there are depends on its kind. */
const fileChannel = z
  .object({ name, kind: z.string(), project: z.string().optional(), on: z.boolean().optional() })
  .catchall(z.union([z.string(), z.number(), z.boolean()]).transform(String))

const rulesFile = z.strictObject({ channels: z.array(fileChannel).default([]), rules: z.array(fileRule).default([]) })

export type FileChannel = {
  name: string
  kind: string
  project: string | undefined
  /** Without it, the channel stays as it is: Hydrant switches off those that are gone. */
  isOn: boolean | undefined
  settings: Record<string, string>
}
export type FileRule = {
  name: string
  project: string | undefined
  config: RuleConfig
  channels: string[]
  owner: string | undefined
  isOn: boolean
  /** Without it, a snoozed rule stays snoozed. */
  snoozedUntil: number | undefined
}
export type AlertsFile = { channels: FileChannel[]; rules: FileRule[] }
type Read = { ok: true; file: AlertsFile } | { ok: false; faults: string[] }

/** `given` is what the file holds. `variable` gives the value of `${NAME}`, so that a file in a repository has no secrets. */
export function readAlertsFile(given: unknown, variable: (name: string) => string | undefined): Read {
  const faults: string[] = []
  const filled = fill(given, variable, faults)
  const parsed = rulesFile.safeParse(filled ?? {})
  if (!parsed.success) faults.push(...parsed.error.issues.map(issue => describeFault(issue, filled)))
  if (!parsed.success || faults.length > 0) return { ok: false, faults }
  const { channels, rules } = parsed.data
  const read = rules.map(readRule)
  for (const each of read) if ('faults' in each) faults.push(...each.faults)
  faults.push(...repeatedNames('channels', channels), ...repeatedNames('rules', rules))
  if (faults.length > 0) return { ok: false, faults }
  return {
    ok: true,
    file: {
      channels: channels.map(({ name: title, kind, project, on: isOn, ...settings }) => ({
        name: title,
        kind,
        project,
        isOn,
        settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])),
      })),
      rules: read.flatMap(each => ('rule' in each ? [each.rule] : [])),
    },
  }
}

function readRule(given: z.output<typeof fileRule>): { rule: FileRule } | { faults: string[] } {
  const config = ruleConfig.safeParse({
    when: given.when,
    counts: given.counts.map(count => ({
      of: count.of,
      above: count.above,
      withinMs: count.within,
      percentMore: count.percent_more ?? null,
    })),
    metric: given.metric === undefined ? null : readMetric(given.metric),
    filter: given.filter,
    environments: given.environments,
    atMostEveryMs: given.at_most_every,
    quiet: given.quiet ?? null,
    followsSettings: given.follows_settings,
  })
  if (!config.success)
    return {
      faults: config.error.issues.map(issue => `rule ${given.name}: ${printPath(issue.path)}: ${issue.message}`),
    }
  const { metric } = config.data
  const fault =
    given.metric?.above !== undefined && given.metric.below !== undefined
      ? 'Give above or below, not both.'
      : metric && limitFault(metric)
  if (fault) return { faults: [`rule ${given.name}: metric: ${fault}`] }
  const { name: title, project, channels, owner, on: isOn, snoozed_until: snoozedUntil } = given
  return { rule: { name: title, project, config: config.data, channels, owner, isOn, snoozedUntil } }
}

function readMetric(given: z.output<typeof fileMetric>) {
  const preset = metricPresets.find(({ id }) => id === given.of)
  return {
    dataset: given.dataset ?? preset?.dataset,
    measure: given.measure ?? preset?.measure,
    query: given.query,
    windowMs: given.window,
    compare: given.compare,
    direction: given.below === undefined ? 'above' : 'below',
    critical: given.above ?? given.below,
    warning: given.warning ?? null,
    resolved: given.resolved ?? null,
    forMinutes: given.for_minutes ?? 1,
    leastRows: given.least_rows ?? 0,
    noData: given.no_data,
    noDataAfterMs: given.no_data_after ?? null,
  }
}

/** Replaces `${NAME}` in every text. */
function fill(value: unknown, variable: (name: string) => string | undefined, faults: string[]): unknown {
  if (Array.isArray(value)) return value.map(each => fill(each, variable, faults))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, variable, faults)]))
  if (typeof value !== 'string') return value
  return value.replaceAll(/\$\{([A-Za-z_]\w{0,99})\}/g, (_, wanted: string) => {
    const found = variable(wanted)
    if (found === undefined) faults.push(`the variable ${wanted} is not set`)
    return found ?? ''
  })
}

/** Rules of different projects may have the same name. */
function repeatedNames(what: string, entries: readonly { name: string; project?: string | undefined }[]): string[] {
  const namesakes = Map.groupBy(entries, ({ name, project }) => JSON.stringify([project ?? '', name]))
  return [...namesakes.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length === 0 ? [] : `${what}: the name ${JSON.stringify(first.name)} occurs twice`,
  )
}

/** `rule "new": when: "regresion" is not one of new-issue, …`. */
function describeFault(issue: z.core.$ZodIssue, given: unknown): string {
  const [list, index, ...rest] = issue.path
  const isNamed = (list === 'rules' || list === 'channels') && typeof index === 'number'
  if (!isNamed) return `${printPath(issue.path)}: ${wordsOf(issue, given)}`
  const title = valueAt(given, [list, index, 'name'])
  const what = list === 'rules' ? 'rule' : 'channel'
  const which = typeof title === 'string' ? `${what} ${JSON.stringify(title)}` : `${what} number ${index + 1}`
  const where = rest.filter(part => typeof part === 'string')
  return [which, ...where, wordsOf(issue, given)].join(': ')
}

function wordsOf(issue: z.core.$ZodIssue, given: unknown): string {
  if (issue.code !== 'invalid_value') return issue.message
  return `${JSON.stringify(valueAt(given, issue.path))} is not one of ${issue.values.join(', ')}`
}

/** A single value may stand where a list is meant. */
const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => {
    if (typeof value === 'object' && value !== null) return (value as Record<PropertyKey, unknown>)[part]
    return part === 0 ? value : undefined
  }, given)

const printPath = (path: readonly PropertyKey[]): string =>
  path
    .map(part => (typeof part === 'number' ? `[${part + 1}]` : String(part)))
    .join('.')
    .replaceAll('.[', '[') || 'file'
