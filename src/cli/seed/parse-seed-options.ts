import { parseOptions } from '../parse-options.ts'
import { maxTailErrors } from './tail-errors.ts'

export type SeedOptions = {
  events: number
  /** At least the issues of `shopErrors`. */
  issues: number
  spans: number
  logs: number
  days: number
  seed: number
  users: number
  organization: string
  project: string
}
/** For the default of `--issues`: a million events make 2,000 issues. */
const eventsPerIssue = 500

type ParsedSeedOptions = { ok: true; options: SeedOptions } | { ok: false; message: string }

const shape = {
  events: { type: 'string', default: '100000' },
  issues: { type: 'string', default: '0' },
  spans: { type: 'string', default: '1000000' },
  logs: { type: 'string', default: '100000' },
  days: { type: 'string', default: '30' },
  seed: { type: 'string', default: '1' },
  users: { type: 'string', default: '5000' },
  org: { type: 'string', default: 'demo' },
  project: { type: 'string', default: 'shop' },
} as const

export function parseSeedOptions(args: string[]): ParsedSeedOptions {
  const parsed = parseOptions(args, shape)
  if (!parsed.ok) return parsed
  const { org, project, ...rest } = parsed.values
  const counts = Object.entries(rest).map(([name, text]) => [name, readCount(text)] as const)
  const wrong = counts.find(([, count]) => count === null)
  if (wrong) return { ok: false, message: `--${wrong[0]} must be a whole number, for example 1000000.` }
  const {
    events = 0,
    issues = 0,
    spans = 0,
    logs = 0,
    days = 0,
    seed = 0,
    users = 0,
  } = Object.fromEntries(counts) as Record<string, number>
  if (days < 1 || users < 1) return { ok: false, message: '--days and --users must be at least 1.' }
  if (issues > maxTailErrors) return { ok: false, message: `--issues must be at most ${maxTailErrors}.` }
  const kinds = issues || Math.min(maxTailErrors, Math.round(events / eventsPerIssue))
  return { ok: true, options: { events, issues: kinds, spans, logs, days, seed, users, organization: org, project } }
}

const readCount = (text: string): number | null =>
  /^\d[\d_]{0,12}$/.test(text) ? Number(text.replaceAll('_', '')) : null
