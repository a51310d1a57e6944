/** The format a result will have: the query's own FORMAT clause, else what the client asked for by default. */
export function outputFormat(sql: string, defaultFormat: string): string {
  return /\bFORMAT\s+([A-Za-z0-9]+)\s*;?\s*$/i.exec(sql)?.[1] ?? defaultFormat
}
