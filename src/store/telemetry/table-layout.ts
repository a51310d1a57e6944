/**
 * One set of SQL files for one node and for a cluster. On one node `{engine:events}` is MergeTree. Where a cluster is named, each
 * statement becomes two: a replicated `events_local` on every node and a Distributed `events` over them, so readers and writers
 * keep the same name; `events{local}` names the former. `{engine:issue_state Replacing(version)}` keeps the newest row of each key.
 */
export type TableLayout = { kind: 'single' } | { kind: 'cluster'; cluster: string }

export const layoutOf = ({ clickhouseCluster: cluster }: { clickhouseCluster?: string | undefined }): TableLayout =>
  cluster === undefined ? { kind: 'single' } : { kind: 'cluster', cluster }

/**
 * fsync settings: an insert that was answered survives a power cut (no measurable cost with batches), and so does what a merge made,
 * which is why the parts that it was made of need not stay for the usual eight minutes: each holds 50 KB of the engine's memory.
 * The window keeps the tokens of the last inserts per table, so that a repeat within it is dropped by the engine itself.
 */
const durable =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 60, ' +
  'min_bytes_for_wide_part = 134217728' // a batch is one file of data, not one per column: a hundred syncs less
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
      const place = `'/clickhouse/tables/{shard}/hydrant/${table}', '{replica}'`
      return version ? `ReplicatedReplacingMergeTree(${place}, ${version})` : `ReplicatedMergeTree(${place})`
    })
    .replaceAll('{settings}', clusterSettings)
  // Rows of one trace and one group stay together per project: queries are scoped by project first.
  const shardBy = /\bproject_id UInt64/.test(statement) ? 'project_id' : 'rand()'
  const distributed = `CREATE TABLE IF NOT EXISTS ${created} ${onCluster} AS ${created}_local ENGINE = Distributed('${cluster}', currentDatabase(), '${created}_local', ${shardBy})`
  return [local, distributed]
}
