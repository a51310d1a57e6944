/** better-auth stores ISO text on SQLite and timestamps on PostgreSQL. */
export const timeOf = (stored: unknown): number => new Date(stored as string | Date).getTime()
