/** The format a result will have: the query's own FORMAT clause, else what the client asked for by default. */
export function outputFormat(sql: string, defaultFormat: string): string {
  const text = sql.trimEnd()
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text
  return /\bFORMAT\s+([A-Za-z0-9]+)$/i.exec(statement)?.[1] ?? defaultFormat
}
