import type { EngineDriver, EngineMemory } from './engine-driver.ts'

const MiB = 1024 * 1024

/** Server settings: caches that fit a small machine instead of gigabytes. */
export const engineServerSettings = ({ engineBytes, cacheBytes }: EngineMemory): Record<string, number> => ({
  mark_cache_size: cacheBytes,
  uncompressed_cache_size: 0,
  index_mark_cache_size: 8 * MiB,
  index_uncompressed_cache_size: 0,
  primary_index_cache_size: cacheBytes,
  query_condition_cache_size: 8 * MiB,
  vector_similarity_index_cache_size: 1 * MiB,
  text_index_dictionary_block_cache_size: 1 * MiB,
  text_index_header_cache_size: 1 * MiB,
  text_index_postings_cache_size: 1 * MiB,
  iceberg_metadata_files_cache_size: 1 * MiB,
  compiled_expression_cache_size: 8 * MiB,
  mmap_cache_size: 16,
  background_pool_size: 2,
  background_schedule_pool_size: 2,
  background_common_pool_size: 2,
  background_move_pool_size: 1,
  background_fetches_pool_size: 1,
  background_message_broker_schedule_pool_size: 1,
  background_distributed_schedule_pool_size: 1,
  background_buffer_flush_schedule_pool_size: 1,
  max_server_memory_usage: engineBytes,
})

/**
 * Additional settings for the WebAssembly build. There each thread is a JavaScript isolate of 20 MB that is never freed,
 * and statements run one after the other anyway.
 */
export const wasmServerSettings: Record<string, number> = {
  background_pool_size: 1,
  background_merges_mutations_concurrency_ratio: 1,
  background_schedule_pool_size: 1,
  background_common_pool_size: 1,
  background_move_pool_size: 0, // there is only one disk
  background_fetches_pool_size: 0, // and no replicas
  max_io_thread_pool_size: 1,
  max_io_thread_pool_free_size: 0,
  max_format_parsing_thread_pool_size: 1,
  max_prefixes_deserialization_thread_pool_size: 1,
  max_active_parts_loading_thread_pool_size: 1,
  max_outdated_parts_loading_thread_pool_size: 1,
  max_parts_cleaning_thread_pool_size: 1,
  max_unexpected_parts_loading_thread_pool_size: 1,
  tables_loader_foreground_pool_size: 1,
  tables_loader_background_pool_size: 1,
  // No limit: memory tracking drifts upwards in this build (0.2 MB per insert that nothing holds), so after some thousand inserts
  // any limit would reject every statement. Each statement has its own limits, and the module's memory ends at 2 GiB.
  max_server_memory_usage: 1024 ** 4,
  // The engine lowers the limit to a share of the memory that it sees, here the module's 2 GiB.
  max_server_memory_usage_to_ram_ratio: 1024,
}

export const wasmMergeSettings: Record<string, number> = {
  always_use_copy_instead_of_hardlinks: 1, // its file system has no hard links, which mutations use for unchanged files
  // A merge holds a buffer per column and part, and the module's memory never shrinks.
  max_parts_to_merge_at_once: 20,
  merge_max_block_size: 4096,
  materialize_statistics_on_merge: 0, // unused, see engineStatementSettings
}

/**
 * Reads, parses and formats on the statement's own thread, for the same reason. One PREWHERE step: a further pass through every part
 * costs more than the rows that it saves. Any other read method for a file of rows hangs in this build.
 */
export const wasmStatementSettings = `input_format_parallel_parsing = 0, output_format_parallel_formatting = 0,
  enable_multiple_prewhere_read_steps = 0, storage_file_read_method = 'read'`

/** Settings of every statement; the client's settings override them. */
export const engineStatementSettings = ({
  statementBytes,
  spillBytes,
}: EngineMemory): Record<string, number | string> => ({
  max_memory_usage: statementBytes, // a greedy query fails alone instead of ending the process
  max_bytes_before_external_group_by: spillBytes,
  max_bytes_before_external_sort: spillBytes,
  async_insert: 0, // acknowledged means on disk
  local_filesystem_read_method: 'pread', // other threads read no sooner, and waking them costs a page a tenth of its query
  // Column statistics are read again for each part that was added in the last five minutes, and here there always is one:
  // measured queries took twice as long with them.
  use_statistics: 0,
  use_statistics_for_part_pruning: 0,
  use_top_k_dynamic_filtering: 0, // in 26.5 it fails with a type mismatch if ORDER BY has a second column
  // One insert is one block, so a deduplication token covers all of it.
  max_insert_block_size: 10_000_000,
  min_insert_block_size_rows: 10_000_000,
  min_insert_block_size_bytes: 1024 * MiB,
})

/** The first statement of a driver, which also proves that the data folder can be opened. */
export async function engineVersion(run: EngineDriver['run']): Promise<string> {
  const sql = 'SELECT version()'
  const statement = {
    lane: 'read',
    parameters: {},
    prelude: 'SET max_execution_time = 10',
    sql,
    body: null,
    rowsFile: null,
    defaultFormat: 'TSV',
  } as const
  const result = await run(statement, new AbortController().signal)
  if (result.kind === 'failed') throw new Error(result.message)
  return Buffer.from(result.bytes).toString().trim()
}
