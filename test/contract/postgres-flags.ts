const settings = [
  ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off', 'jit=off'],
  // Joins stay in the order of the text: with a few rows, to plan a query takes longer than to run it.
  ...['join_collapse_limit=1', 'from_collapse_limit=1'],
  ...['max_connections=200', 'listen_addresses=127.0.0.1', 'unix_socket_directories='],
]

/** Quick to start, reachable from this machine alone, and nothing in it outlives the test. */
export const postgresFlags = settings.flatMap(setting => ['-c', setting])
