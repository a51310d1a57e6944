/** SQLite's answer when another connection holds the lock; recognised by code, because Next may hold several copies of a class. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
