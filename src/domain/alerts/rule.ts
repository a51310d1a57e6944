/** What an alert rule says: when it sends a message, about what, and how often. */
import { z } from 'zod'
import type { ViewerProject } from '#domain/access/viewer.ts'
import { metricSchema } from './metric.ts'

/** The changes of an issue that a rule can be about. */
const issueTriggers = ['new-issue', 'regression', 'escalation', 'resolved'] as const
export type IssueTrigger = (typeof issueTriggers)[number]
/** `incident`: whatever a detector opens or closes, of other rules too. */
export const triggers = [...issueTriggers, 'incident'] as const

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const defaultIntervalMs = 30 * minuteMs

/** More than so many events or users of one issue in a window, or so many percent more than in the window before. */
export const countCondition = z.object({
  of: z.enum(['events', 'users']),
  above: z.number().int().min(0).max(1_000_000_000),
  /** Instead of `above`: percent more than the window before. `above` is then the least number that counts. */
  percentMore: z.number().int().min(1).max(1_000_000).nullable().default(null),
  withinMs: z
    .number()
    .int()
    .min(minuteMs)
    .max(30 * dayMs)
    // Counts are judged by the minute.
    .transform(ms => Math.ceil(ms / minuteMs) * minuteMs),
})
export type CountCondition = z.output<typeof countCondition>

const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
const zone = z.string().max(60).refine(isTimeZone, 'Use a time zone such as Europe/Berlin.')

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const quietHours = z.object({ from: clockTime, to: clockTime, zone })
export type QuietHours = z.output<typeof quietHours>

export const ruleConfig = z.object({
  when: z.array(z.enum(triggers)).max(triggers.length).default([]),
  counts: z.array(countCondition).max(4).default([]),
  metric: metricSchema.nullable().default(null),
  /** In the search language of issues. A metric has a query of its own. */
  filter: z.string().max(2_000).default(''),
  /** Empty for all. */
  environments: z.array(z.string().min(1).max(200)).max(20).default([]),
  /** At most one message of a type per issue in this time. */
  atMostEveryMs: z
    .number()
    .int()
    .min(0)
    .max(30 * dayMs)
    .default(defaultIntervalMs),
  quiet: quietHours.nullable().default(null),
  /** Email goes to the members who want to hear of such messages, instead of the recipients of the channel. */
  followsSettings: z.boolean().default(false),
})
export type RuleConfig = z.output<typeof ruleConfig>

/** A rule is about one of these. Older rules, and rules in a file, may be about several. */
export const ruleKinds = ['issue', 'count', 'metric'] as const
export type RuleKind = (typeof ruleKinds)[number]

export const kindsOf = ({ when, counts, metric }: Pick<RuleConfig, 'when' | 'counts' | 'metric'>): RuleKind[] =>
  ruleKinds.filter(kind =>
    kind === 'issue' ? when.length > 0 : kind === 'count' ? counts.length > 0 : metric !== null,
  )

/** The rule without its other kinds. */
export const ofKind = <Config extends Pick<RuleConfig, 'when' | 'counts' | 'metric'>>(
  config: Config,
  kind: RuleKind,
): Config => ({
  ...config,
  when: kind === 'issue' ? config.when : [],
  counts: kind === 'count' ? config.counts : [],
  metric: kind === 'metric' ? config.metric : null,
})

export type Rule = {
  id: number
  organizationId: number
  projectId: number | null
  name: string
  config: RuleConfig
  isOn: boolean
  snoozedUntil: number | null
  createdAt: number
  channelIds: number[]
  /** Those of them that open and close an alert for each subject. */
  pagerIds: number[]
}

/** A config that cannot be read matches nothing. */
export function readRuleConfig(text: string): RuleConfig {
  const read = ruleConfig.safeParse(JSON.parse(text))
  return read.success ? read.data : ruleConfig.parse({})
}

/**
 * The projects that a rule is about. One for all projects leaves out private ones, because whoever reads its channels would see them;
 * mail that follows settings goes only to members who see the project anyway.
 */
export function projectsOf(
  { projectId, config }: { projectId: number | null; config: Pick<RuleConfig, 'followsSettings'> },
  projects: readonly Pick<ViewerProject, 'id' | 'isPrivate'>[],
): number[] {
  return projects
    .filter(({ id, isPrivate }) => (projectId === null ? !isPrivate || config.followsSettings : id === projectId))
    .map(({ id }) => id)
}

/** Those whose rows its number counts. Everybody who hears of a number hears it whole, so a private project needs a rule of its own. */
export const measuredProjects = (
  { projectId }: { projectId: number | null },
  projects: readonly Pick<ViewerProject, 'id' | 'isPrivate'>[],
): number[] => projectsOf({ projectId, config: { followsSettings: false } }, projects)

/** Whether it may send something at this moment. */
export const isAwake = (rule: Pick<Rule, 'isOn' | 'snoozedUntil'>, nowMs: number): boolean =>
  rule.isOn && (rule.snoozedUntil === null || rule.snoozedUntil <= nowMs)

/** Whether a rule is told of an incident: the one whose metric it is, and every rule that is about incidents. */
export function hearsOf(
  rule: Pick<Rule, 'id' | 'projectId' | 'config'>,
  { ruleId, projectId }: { ruleId: number | null; projectId: number | null },
  projects: readonly Pick<ViewerProject, 'id' | 'isPrivate'>[],
): boolean {
  if (ruleId === rule.id) return true
  if (!rule.config.when.includes('incident')) return false
  return projectId === null ? rule.projectId === null : projectsOf(rule, projects).includes(projectId)
}
