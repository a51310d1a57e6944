/** The fields of the rule editor: what they hold, and the rule that they say. */
import { z } from 'zod'
import type { ListedRule } from '#domain/alerts/list-rules.ts'
import { limitFault, type Metric, noDataChoices } from '#domain/alerts/metric.ts'
import { metricPresets, presetIdOf } from '#domain/alerts/metric-words.ts'
import {
  countCondition,
  kindsOf,
  type RuleConfig,
  type RuleKind,
  ruleConfig,
  ruleKinds,
  triggers,
} from '#domain/alerts/rule.ts'
import type { RuleInput } from '#domain/alerts/save-rule.ts'
import { formId, optionalFormId } from '#web/form-number.ts'
import type { RuleValues } from './editor-state.ts'
import { comparisons } from './metric-choices.ts'

const repeated = ['when', 'channel'] as const

export function valuesOf(form: FormData): RuleValues {
  const values: RuleValues = {}
  for (const name of new Set(form.keys()))
    if (!name.startsWith('$')) values[name] = isRepeated(name) ? form.getAll(name).map(String) : String(form.get(name))
  return values
}

const isRepeated = (name: string): boolean => (repeated as readonly string[]).includes(name)

const minuteMs = 60_000
/** JavaScript also converts an empty text to a number. */
const typedNumber = z
  .string()
  .trim()
  .regex(/^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?$/i, 'Enter a number.')
  .transform(Number)
const wholeNumber = typedNumber.pipe(z.number().int('Enter a whole number.').min(0, 'Enter a number from 0.'))
/** A field that may stay empty. */
const orNull = <Output>(schema: z.ZodType<Output, string>) =>
  z.preprocess(given => (given === undefined || given === '' ? null : given), schema.nullable())
/** Menus and boxes send these, unless a page is damaged or a script writes. */
const unknownChoice = 'Unknown choice. Reload the page and try again.'

/** Rates are entered in percent. */
const limit = orNull(typedNumber)
const checkbox = z.literal('on', unknownChoice).optional()

const fields = z.object({
  /** Empty for a stored rule that has several, which it keeps. */
  kind: z.enum(['', ...ruleKinds], 'Choose what the rule is about.').default(''),
  rule: optionalFormId,
  name: z.string().default(''),
  project: optionalFormId,
  when: z.array(z.enum(triggers, unknownChoice)).default([]),
  countOf: z.enum(['', 'events', 'users'], unknownChoice).default(''),
  countAbove: wholeNumber.pipe(z.number().max(1_000_000_000, 'Enter a smaller number.')).default(100),
  countMinutes: wholeNumber.default(60),
  countPercent: orNull(wholeNumber.pipe(z.number().min(1, 'Enter a number from 1.'))),
  /** Counts beyond the one that the editor shows, as JSON: a file of rules may have up to four. */
  moreCounts: z.preprocess(
    text => (typeof text === 'string' && text !== '' ? parseJson(text) : []),
    z.array(countCondition, unknownChoice),
  ),
  /** A preset, or a dataset and a function of the explore language. */
  metricOf: z.string().max(220).default(''),
  metricQuery: z.string().max(2_000, 'Use at most 2,000 characters.').default(''),
  metricCompare: z
    .enum(
      comparisons.map(({ id }) => id),
      unknownChoice,
    )
    .default('above'),
  metricCritical: limit,
  metricWarning: limit,
  metricResolved: limit,
  metricMinutes: wholeNumber.default(5),
  metricFor: wholeNumber.default(1),
  metricLeast: z.preprocess(given => given || '0', wholeNumber),
  metricNoData: z.enum(noDataChoices, unknownChoice).default('resolve'),
  /** Minutes; empty for the usual wait. */
  metricNoDataAfter: orNull(
    wholeNumber.pipe(z.number().min(1, 'Enter a number from 1.').max(1_440, 'Enter at most 1440 minutes.')),
  ),
  filter: z.string().max(2_000, 'Use at most 2,000 characters.').default(''),
  environments: z.string().max(2_000, 'Use at most 2,000 characters.').default(''),
  everyMinutes: wholeNumber.default(30),
  quietFrom: z.string().default(''),
  quietTo: z.string().default(''),
  quietZone: z.string().default('UTC'),
  channel: z.array(formId).default([]),
  owner: z.string().max(100).default(''),
  isOn: checkbox,
  followsSettings: checkbox,
})

type Read = { ok: true; input: RuleInput & { ruleId: number | null } } | { ok: false; faults: Record<string, string> }

export function readRuleForm(form: FormData): Read {
  const values = valuesOf(form)
  const parsed = fields.safeParse(onlyOf(values))
  if (!parsed.success) return { ok: false, faults: faultsOf(parsed.error.issues) }
  const given = parsed.data
  const metric = readMetric(given)
  if (metric === null && (given.kind === 'metric' || given.metricOf !== ''))
    return { ok: false, faults: { metricOf: 'Choose a metric.' } }
  const hasQuiet = given.quietFrom !== '' || given.quietTo !== ''
  const config = ruleConfig.safeParse({
    when: given.when,
    counts: [
      ...(given.countOf === ''
        ? []
        : [
            {
              of: given.countOf,
              above: given.countAbove,
              percentMore: given.countPercent,
              withinMs: given.countMinutes * minuteMs,
            },
          ]),
      ...given.moreCounts,
    ],
    metric,
    filter: given.filter.trim(),
    environments: [...new Set(given.environments.split(',').map(name => name.trim()))].filter(Boolean),
    atMostEveryMs: given.everyMinutes * minuteMs,
    followsSettings: given.followsSettings === 'on',
    quiet: hasQuiet ? { from: given.quietFrom, to: given.quietTo, zone: given.quietZone.trim() || 'UTC' } : null,
  })
  if (!config.success) {
    const names: Record<string, string> = {
      metric: 'metricCritical',
      counts: 'countOf',
      quiet: 'quietZone',
      atMostEveryMs: 'everyMinutes',
    }
    const issues = config.error.issues.map(issue => {
      const field = names[String(issue.path[0])] ?? String(issue.path[0])
      const message = field === 'quietZone' ? 'Enter both times, and a time zone such as Europe/Berlin.' : issue.message
      return { path: [field], message }
    })
    return { ok: false, faults: faultsOf(issues) }
  }
  const fault = config.data.metric && limitFault(config.data.metric)
  if (fault) return { ok: false, faults: { metricCritical: fault } }
  if (given.rule === null && kindsOf(config.data).length > 1)
    return { ok: false, faults: { kind: 'Choose what the rule is about.' } }
  return {
    ok: true,
    input: {
      ruleId: given.rule,
      name: given.name,
      projectId: given.project,
      config: config.data,
      isOn: given.isOn === 'on',
      channelIds: given.channel,
      ownerUserId: given.owner === '' ? null : given.owner,
    },
  }
}

const fieldsOfKind: Readonly<Record<RuleKind, RegExp>> = {
  issue: /^when$/,
  count: /^(?:count|moreCounts)/,
  metric: /^metric/,
}

/** Drops the fields of the kinds that weren't chosen, so that they are neither kept nor checked. */
function onlyOf(values: RuleValues): RuleValues {
  const others = ruleKinds.filter(kind => ruleKinds.some(each => each === values.kind) && kind !== values.kind)
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !others.some(kind => fieldsOfKind[kind].test(name))),
  )
}

function readMetric(given: z.output<typeof fields>) {
  const preset = metricPresets.find(({ id }) => id === given.metricOf)
  const [, dataset, measure] = ownMetric.exec(given.metricOf) ?? []
  const comparison = comparisons.find(({ id }) => id === given.metricCompare)
  if ((preset === undefined && measure === undefined) || comparison === undefined) return null
  const scaled = (entered: number | null) =>
    entered === null ? null : entered * scaleOf(given.metricOf, comparison.compare)
  return {
    dataset: preset?.dataset ?? dataset,
    measure: preset?.measure ?? measure,
    query: given.metricQuery.trim(),
    windowMs: given.metricMinutes * minuteMs,
    compare: comparison.compare,
    direction: comparison.direction,
    critical: scaled(given.metricCritical),
    warning: scaled(given.metricWarning),
    resolved: scaled(given.metricResolved),
    forMinutes: given.metricFor,
    leastRows: given.metricLeast,
    noData: given.metricNoData,
    noDataAfterMs: given.metricNoDataAfter === null ? null : given.metricNoDataAfter * minuteMs,
  }
}

/** A number that is no preset, as the editor keeps it: `spans p90(span.duration)`. */
const ownMetric = /^(\w+) (.+)$/s
const metricNameOf = (metric: Metric): string => presetIdOf(metric) || `${metric.dataset} ${metric.measure}`

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A failure rate is entered in percent and stored as a share. */
const scaleOf = (presetId: string, compare: Metric['compare']): number =>
  presetId === 'failure-rate' && compare === 'value' ? 0.01 : 1

function fieldsOfMetric(metric: Metric | null): RuleValues {
  if (metric === null)
    return {
      metricOf: '',
      metricQuery: '',
      metricCompare: 'above',
      metricMinutes: '5',
      metricFor: '1',
      metricLeast: '',
      metricNoData: 'resolve',
      metricNoDataAfter: '',
    }
  const scale = scaleOf(presetIdOf(metric), metric.compare)
  const shown = (value: number | null) => (value === null ? '' : String(Number((value / scale).toPrecision(6))))
  return {
    metricOf: metricNameOf(metric),
    metricQuery: metric.query,
    metricCompare:
      comparisons.find(({ compare, direction }) => compare === metric.compare && direction === metric.direction)?.id ??
      'above',
    metricCritical: shown(metric.critical),
    metricWarning: shown(metric.warning),
    metricResolved: shown(metric.resolved),
    metricMinutes: String(metric.windowMs / minuteMs),
    metricFor: String(metric.forMinutes),
    metricLeast: metric.leastRows === 0 ? '' : String(metric.leastRows),
    metricNoData: metric.noData,
    metricNoDataAfter: metric.noDataAfterMs === null ? '' : String(metric.noDataAfterMs / minuteMs),
  }
}

const faultsOf = (issues: { path: PropertyKey[]; message: string }[]): Record<string, string> =>
  Object.fromEntries(issues.map(issue => [String(issue.path[0] ?? ''), issue.message]))

type Stored = Pick<ListedRule, 'name' | 'projectId' | 'isOn' | 'ownerUserId'> & {
  config: RuleConfig
  channels: readonly { id: number }[]
}

/** The fields of a stored rule. */
export function fieldsOfRule({ name, projectId, isOn, ownerUserId, config, channels }: Stored): RuleValues {
  const [count, ...more] = config.counts
  const kinds = kindsOf(config)
  return {
    name,
    kind: kinds.length > 1 ? '' : (kinds[0] ?? 'issue'),
    project: projectId === null ? '' : String(projectId),
    when: config.when,
    countOf: count?.of ?? '',
    countAbove: String(count?.above ?? 100),
    countMinutes: String((count?.withinMs ?? 60 * minuteMs) / minuteMs),
    countPercent: count?.percentMore ? String(count.percentMore) : '',
    moreCounts: more.length === 0 ? '' : JSON.stringify(more),
    ...fieldsOfMetric(config.metric),
    filter: config.filter,
    environments: config.environments.join(', '),
    everyMinutes: String(config.atMostEveryMs / minuteMs),
    quietFrom: config.quiet?.from ?? '',
    quietTo: config.quiet?.to ?? '',
    quietZone: config.quiet?.zone ?? 'UTC',
    channel: channels.map(({ id }) => String(id)),
    owner: ownerUserId ?? '',
    followsSettings: config.followsSettings ? 'on' : undefined,
    isOn: isOn ? 'on' : undefined,
  }
}
