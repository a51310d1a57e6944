/** PostgreSQL ends one of two transactions that wait for each other, whole; it may simply be tried again. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01'
}
