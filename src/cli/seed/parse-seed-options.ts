import { parseOptions } from '../parse-options.ts'
import { maxTailErrors } from './tail-errors.ts'

export type SeedOptions = {
  events: number
  /** At most so many; null for the usual number. */
  issues: number | null
  spans: number
  logs: number
  days: number
  seed: number
  users: number
  /** Null for the only organization. */
  organization: string | null
  project: string
}

type ParsedSeedOptions = { ok: true; options: SeedOptions } | { ok: false; message: string }

const shape = {
  events: { type: 'string' },
  issues: { type: 'string' },
  spans: { type: 'string' },
  logs: { type: 'string' },
  days: { type: 'string' },
  seed: { type: 'string' },
  users: { type: 'string' },
  quick: { type: 'boolean' },
  org: { type: 'string' },
  project: { type: 'string', default: 'shop' },
} as const

const usual = { events: 100_000, days: 30 }
/** Enough for every list and chart, in seconds. */
const quick = { events: 1_000, days: 10 }

export function parseSeedOptions(args: string[]): ParsedSeedOptions {
  const parsed = parseOptions(args, shape)
  if (!parsed.ok) return parsed
  const { org, project, quick: isQuick, ...rest } = parsed.values
  const counts = Object.entries(rest).map(([name, text]) => [name, readCount(text)] as const)
  const wrong = counts.find(([, count]) => count === null)
  if (wrong) return { ok: false, message: `--${wrong[0]} must be a whole number, for example 1000000.` }
  const given = Object.fromEntries(counts) as Partial<Record<keyof typeof rest, number>>
  const { events, days } = { ...(isQuick ? quick : usual), ...given }
  const users = given.users ?? Math.min(5_000, Math.max(20, Math.round(events / 20)))
  if (days < 1 || users < 1) return { ok: false, message: '--days and --users must be at least 1.' }
  const issues = given.issues ?? null
  if (issues === 0) return { ok: false, message: '--issues must be at least 1.' }
  if (issues !== null && issues > maxTailErrors)
    return { ok: false, message: `--issues must be at most ${maxTailErrors}.` }
  const { spans = 10 * events, logs = events, seed = 1 } = given
  return { ok: true, options: { events, issues, spans, logs, days, seed, users, organization: org ?? null, project } }
}

const readCount = (text: string): number | null =>
  /^\d[\d_]{0,12}$/.test(text) ? Number(text.replaceAll('_', '')) : null
