const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0' }

/** A ClickHouse string literal. NUL is escaped too: the engine takes its text as a C string, which NUL would cut. */
export function sqlLiteral(value: string): string {
  return `'${value.replace(/[\\'\0]/g, character => escapes[character] ?? character)}'`
}
