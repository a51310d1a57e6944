/** How an issue was resolved, or until when it is archived: the JSON in `issue.status_detail`. */
import { z } from 'zod'
import { jsonOf } from '#lib/json-value.ts'
import type { IssueStatus } from './schema.ts'

const resolution = z.discriminatedUnion('kind', [
  /** `release` is the newest release with events of the issue; may be empty. */
  z.object({ kind: z.literal('now'), release: z.string().default('') }),
  /** `version` is the next release, once it has been seen. */
  z.object({ kind: z.literal('next_release'), after: z.string(), version: z.string().optional() }),
  z.object({ kind: z.literal('in_release'), version: z.string() }),
])

/** `count` is the absolute count at which the archive ends. `more` is the requested number; older rows lack it. */
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

/** The terms that queries filter by. They have their own columns, and every write of a status writes them too. */
type TermColumns = {
  /** The release whose successor is awaited. */
  waits_after: string | null
  /** The release in which it is resolved. */
  resolved_in: string | null
  /** When the archive ends, in milliseconds. */
  archived_until: number | null
}

export function termColumns(status: IssueStatus, detail: string): TermColumns {
  const how = status === 'resolved' ? readResolution(detail) : null
  const until = status === 'archived' ? readArchive(detail) : null
  return {
    waits_after: how?.kind === 'next_release' && how.version === undefined ? how.after : null,
    resolved_in: how === null || how.kind === 'now' ? null : (how.version ?? null),
    archived_until: until?.kind === 'until_date' ? until.at : null,
  }
}

/** Invalid JSON is read as the simplest detail, since the status itself is in a column. */
export function readResolution(detail: string): ResolvedHow {
  const read = resolution.safeParse(jsonOf(detail))
  return read.success ? read.data : { kind: 'now', release: '' }
}

export function readArchive(detail: string): ArchivedUntil {
  const read = archive.safeParse(jsonOf(detail))
  return read.success ? read.data : { kind: 'forever' }
}
