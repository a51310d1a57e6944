/**
 * One set of SQL files for a single server and for a cluster. On a single server `{engine:events}` is MergeTree. On a cluster each
 * CREATE TABLE becomes two: a replicated `events_local` on every node and a Distributed `events` over them, so queries use the same
 * name; `events{local}` is the former. `{engine:issue_state Replacing(version)}` is a ReplacingMergeTree.
 */
export type TableLayout = { kind: 'single' } | { kind: 'cluster'; cluster: string }

export const layoutOf = ({ clickhouseCluster: cluster }: { clickhouseCluster?: string | undefined }): TableLayout =>
  cluster === undefined ? { kind: 'single' } : { kind: 'cluster', cluster }

/** Where a node has its rows of a table; on a cluster the plain name reads all nodes. */
export const localName = (layout: TableLayout, table: string): string =>
  layout.kind === 'cluster' ? `${table}_local` : table

/** The same, for a statement that every node has to run. */
export const onEveryNode = (layout: TableLayout, table: string): string =>
  layout.kind === 'cluster' ? `${localName(layout, table)} ON CLUSTER ${layout.cluster}` : table

/** A table of the engine about itself, over all nodes. */
export const systemTable = (layout: TableLayout, name: 'mutations' | 'parts'): string =>
  layout.kind === 'cluster' ? `clusterAllReplicas('${layout.cluster}', system.${name})` : `system.${name}`

/**
 * An acknowledged insert survives a power cut (no measurable cost with batches), and so does a merged part. So its source parts, 50 KB
 * of the engine's memory each, need not stay for the default of eight minutes. The deduplication window holds the tokens of the last
 * inserts per table: the engine drops a repeat within it.
 */
const durable =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, ' +
  'min_bytes_for_wide_part = 134217728' // compact parts: one data file per batch instead of one per column saves a hundred syncs
const singleSettings = `${durable}, non_replicated_deduplication_window = 1000`
const clusterSettings = `${durable}, replicated_deduplication_window = 10000`

export function renderStatements(sql: string, layout: TableLayout): string[] {
  const statements = sql
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map(statement => statement.trim())
    .filter(Boolean)
  return layout.kind === 'single'
    ? statements.map(renderSingle)
    : statements.flatMap(statement => renderCluster(statement, layout.cluster))
}

const engine = /\{engine:(\w+)(?: Replacing\((\w+)\))?\}/g

const renderSingle = (statement: string): string =>
  statement
    .replace(engine, (_, _table: string, version?: string) =>
      version ? `ReplacingMergeTree(${version})` : 'MergeTree',
    )
    .replaceAll(/ ?\{onCluster\}/g, '')
    .replaceAll('{local}', '')
    .replaceAll('{settings}', singleSettings)

function renderCluster(statement: string, cluster: string): string[] {
  const created = /^CREATE TABLE IF NOT EXISTS (\w+) /.exec(statement)?.[1]
  const onCluster = `ON CLUSTER ${cluster}`
  if (!created) return [statement.replaceAll('{onCluster}', onCluster).replaceAll('{local}', '_local')]
  const local = statement
    .replace(`EXISTS ${created} `, `EXISTS ${created}_local `)
    .replaceAll('{onCluster}', onCluster)
    .replace(engine, (_, table: string, version?: string) => {
      const path = `'/clickhouse/tables/{shard}/hydrant/${table}', '{replica}'`
      return version ? `ReplicatedReplacingMergeTree(${path}, ${version})` : `ReplicatedMergeTree(${path})`
    })
    .replaceAll('{settings}', clusterSettings)
  // Queries filter by project first, so a project's rows stay on one shard.
  const shardBy = /\bproject_id UInt64/.test(statement) ? 'project_id' : 'rand()'
  const distributed = `CREATE TABLE IF NOT EXISTS ${created} ${onCluster} AS ${created}_local ENGINE = Distributed('${cluster}', currentDatabase(), '${created}_local', ${shardBy})`
  return [local, distributed]
}
