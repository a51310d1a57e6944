/** On which terms an issue is resolved or archived, as `issue.status_detail` keeps it. */
import { z } from 'zod'

const resolution = z.discriminatedUnion('kind', [
  /** `release` is the newest one the issue had been seen in; empty where it had none. */
  z.object({ kind: z.literal('now'), release: z.string().default('') }),
  /** `version` is that next release, once something of it has been seen. */
  z.object({ kind: z.literal('next_release'), after: z.string(), version: z.string().optional() }),
  z.object({ kind: z.literal('in_release'), version: z.string() }),
])

/** `count` is absolute: the one at which it ends. `more` is what was asked for; archives written before it was kept have none. */
const counted = { count: z.number(), more: z.number().optional() }
const archive = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('forever') }),
  z.object({ kind: z.literal('until_events'), ...counted }),
  z.object({ kind: z.literal('until_users'), ...counted }),
  z.object({ kind: z.literal('until_date'), at: z.number() }),
  z.object({ kind: z.literal('until_escalating') }),
])

export type ResolvedHow = z.output<typeof resolution>
export type ArchivedUntil = z.output<typeof archive>

/** A detail that cannot be read is the plainest one: the status itself is never in doubt. */
export function readResolution(detail: string): ResolvedHow {
  const read = resolution.safeParse(jsonOf(detail))
  return read.success ? read.data : { kind: 'now', release: '' }
}

export function readArchive(detail: string): ArchivedUntil {
  const read = archive.safeParse(jsonOf(detail))
  return read.success ? read.data : { kind: 'forever' }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
