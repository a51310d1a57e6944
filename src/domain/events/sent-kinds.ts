/**
 * Which kinds of rows projects have ever sent: a page does not ask telemetry for what nobody has. Digest adds a kind with the batch that
 * brings its first row.
 */
import { projectIds, type Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'

/** The bits of `project_stats.sent_kinds`. */
const bits = { spans: 1, logs: 2, attachments: 4 } as const
export type SentKind = keyof typeof bits
const kinds = Object.keys(bits) as SentKind[]

type SentRows = { readonly [Kind in SentKind]: readonly { project_id: number }[] }

export const sentBits = (sent: readonly SentKind[]): number => sent.reduce((sum, kind) => sum | bits[kind], 0)

/** The kinds that rows are of, by project. */
export function sentKindsOf(rows: SentRows): Map<number, number> {
  const sent = new Map<number, number>()
  for (const kind of kinds) for (const { project_id: id } of rows[kind]) sent.set(id, (sent.get(id) ?? 0) | bits[kind])
  return sent
}

const ttlMs = 1_000

/** Whether one of the projects has ever sent rows of this kind. True if nothing is known of any of them. */
export async function haveSent(
  viewer: Viewer,
  kind: SentKind,
  chosen: readonly number[] = projectIds(viewer),
): Promise<boolean> {
  const rows = await cacheQuery(viewer, { name: ['sent kinds'], ttlMs, staleMs: 0 }, () =>
    viewer.control.projectStats().select(['project_id', 'sent_kinds']).execute(),
  )
  const known = rows.filter(row => chosen.includes(row.project_id))
  return known.length === 0 || known.some(row => (row.sent_kinds & bits[kind]) !== 0)
}
