/** The fields of the rule editor: what they hold, and the rule that they say. */
import { z } from 'zod'
import type { ListedRule } from '#domain/alerts/list-rules.ts'
import { type RuleConfig, ruleConfig, triggers } from '#domain/alerts/rule.ts'
import type { RuleInput } from '#domain/alerts/save-rule.ts'
import type { RuleValues } from './editor-state.ts'

const repeated = ['when', 'channel'] as const

export function valuesOf(form: FormData): RuleValues {
  const values: RuleValues = {}
  for (const name of new Set(form.keys()))
    if (!name.startsWith('$')) values[name] = isRepeated(name) ? form.getAll(name).map(String) : String(form.get(name))
  return values
}

const isRepeated = (name: string): boolean => (repeated as readonly string[]).includes(name)

const minuteMs = 60_000
const wholeNumber = z.coerce.number('Enter a number.').int('Enter a whole number.').min(0, 'Enter a number from 0.')

const fields = z.object({
  rule: z.coerce.number().int().positive().nullable().catch(null),
  name: z.string().default(''),
  project: z.coerce.number().int().positive().nullable().catch(null),
  when: z.array(z.enum(triggers)).default([]),
  countOf: z.enum(['', 'events', 'users']).catch(''),
  countAbove: wholeNumber.max(1_000_000_000, 'Enter a smaller number.').default(100),
  countMinutes: wholeNumber.default(60),
  countPercent: z
    .union([z.literal('').transform(() => null), wholeNumber.min(1, 'Enter a number from 1.')])
    .default(null),
  filter: z.string().max(2_000, 'Use at most 2,000 characters.').default(''),
  environments: z.string().max(2_000, 'Use at most 2,000 characters.').default(''),
  everyMinutes: wholeNumber.default(30),
  quietFrom: z.string().default(''),
  quietTo: z.string().default(''),
  quietZone: z.string().default('UTC'),
  channel: z.array(z.coerce.number().int().positive()).default([]),
  owner: z.string().max(100).default(''),
  isOn: z.string().optional(),
})

type Read = { ok: true; input: RuleInput & { ruleId: number | null } } | { ok: false; faults: Record<string, string> }

export function readRuleForm(form: FormData): Read {
  const parsed = fields.safeParse(valuesOf(form))
  if (!parsed.success) return { ok: false, faults: faultsOf(parsed.error.issues) }
  const given = parsed.data
  const hasQuiet = given.quietFrom !== '' || given.quietTo !== ''
  const config = ruleConfig.safeParse({
    when: given.when,
    counts:
      given.countOf === ''
        ? []
        : [
            {
              of: given.countOf,
              above: given.countAbove,
              percentMore: given.countPercent,
              withinMs: given.countMinutes * minuteMs,
            },
          ],
    filter: given.filter.trim(),
    environments: [...new Set(given.environments.split(',').map(name => name.trim()))].filter(Boolean),
    atMostEveryMs: given.everyMinutes * minuteMs,
    quiet: hasQuiet ? { from: given.quietFrom, to: given.quietTo, zone: given.quietZone.trim() || 'UTC' } : null,
  })
  if (!config.success) {
    const names: Record<string, string> = { counts: 'countOf', quiet: 'quietZone', atMostEveryMs: 'everyMinutes' }
    const issues = config.error.issues.map(issue => {
      const field = names[String(issue.path[0])] ?? String(issue.path[0])
      const message = field === 'quietZone' ? 'Enter both times, and a time zone such as Europe/Berlin.' : issue.message
      return { path: [field], message }
    })
    return { ok: false, faults: faultsOf(issues) }
  }
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

const faultsOf = (issues: { path: PropertyKey[]; message: string }[]): Record<string, string> =>
  Object.fromEntries(issues.map(issue => [String(issue.path[0] ?? ''), issue.message]))

type Stored = Pick<ListedRule, 'name' | 'projectId' | 'isOn' | 'ownerUserId'> & {
  config: RuleConfig
  channels: readonly { id: number }[]
}

/** The fields of a stored rule. */
export function fieldsOfRule({ name, projectId, isOn, ownerUserId, config, channels }: Stored): RuleValues {
  const [count] = config.counts
  return {
    name,
    project: projectId === null ? '' : String(projectId),
    when: config.when,
    countOf: count?.of ?? '',
    countAbove: String(count?.above ?? 100),
    countMinutes: String((count?.withinMs ?? 60 * minuteMs) / minuteMs),
    countPercent: count?.percentMore ? String(count.percentMore) : '',
    filter: config.filter,
    environments: config.environments.join(', '),
    everyMinutes: String(config.atMostEveryMs / minuteMs),
    quietFrom: config.quiet?.from ?? '',
    quietTo: config.quiet?.to ?? '',
    quietZone: config.quiet?.zone ?? 'UTC',
    channel: channels.map(({ id }) => String(id)),
    owner: ownerUserId ?? '',
    isOn: isOn ? 'on' : undefined,
  }
}
