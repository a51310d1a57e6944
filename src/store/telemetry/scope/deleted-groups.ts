/** The groups of deleted issues whose events are not purged yet: until then queries leave them out. */
export type DeletedGroup = {
  projectId: number
  hash: string
  /** Events that were received later belong to a new issue. Milliseconds since 1970. */
  deletedAt: number
}

/** A row of a group that was received before the group was deleted. For tables with `project_id`, `group_hash` and `received_at`. */
export const isDeletedSql = (source: string): string =>
  `(${source}.group_hash IN {deleted_hashes:Array(String)} AND ${source}.received_at <= fromUnixTimestamp64Milli(
    transform(concat(toString(${source}.project_id), ' ', toString(${source}.group_hash)), {deleted_keys:Array(String)}, {deleted_at:Array(Int64)}, toInt64(0))))`

/** The parameters of `isDeletedSql`; null without deleted groups. */
export function deletedParams(groups: readonly DeletedGroup[]) {
  if (groups.length === 0) return null
  // A group that was deleted twice, because it came back.
  const last = new Map<string, number>()
  for (const { projectId, hash, deletedAt } of groups) {
    const key = `${projectId} ${hash}`
    last.set(key, Math.max(last.get(key) ?? 0, deletedAt))
  }
  return {
    deleted_hashes: [...new Set(groups.map(({ hash }) => hash))],
    deleted_keys: [...last.keys()],
    deleted_at: [...last.values()],
  }
}
