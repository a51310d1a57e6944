/** `scope` is the marker `{scope}` or `{scope:alias}`; a parameter is `{name:Type}`. */
export type Token = {
  kind: 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'scope' | 'sign'
  /** As written; a quoted name without its quotes. */
  text: string
  start: number
  end: number
}

const patterns: readonly [Token['kind'] | 'nothing', RegExp][] = [
  ['nothing', /\s+|--[^\n]*/y],
  // A doubled quote makes two strings of one, which changes nothing here.
  ['string', /'(?:[^'\\]|\\[\s\S])*'/y],
  ['quoted', /`[^`\\]*`|"[^"\\]*"/y],
  ['scope', /\{scope(?::\w+)?\}/y],
  ['parameter', /\{\w+:[^{}]+\}/y],
  ['word', /[A-Za-z_]\w*/y],
  ['number', /\d[\w.]*/y],
  ['sign', /->|[-+*/%=<>!,.:?|()[\]]/y],
]

/**
 * The tokens of a query, without `--` comments. Text that ClickHouse might read in another way throws: other comments, heredocs,
 * curly quotes, several statements.
 */
export function readTokens(sql: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < sql.length; ) {
    const [kind, text] = matchAt(sql, at)
    if (kind !== 'nothing')
      tokens.push({ kind, text: kind === 'quoted' ? text.slice(1, -1) : text, start: at, end: at + text.length })
    at += text.length
  }
  return tokens
}

function matchAt(sql: string, at: number): [Token['kind'] | 'nothing', string] {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const text = pattern.exec(sql)?.[0]
    // An operator, not the start of a comment.
    if (text !== undefined && !(text === '/' && sql[at + 1] === '*')) return [kind, text]
  }
  throw new Error(`Unexpected ${JSON.stringify(sql.slice(at, at + 20))} in a scoped query`)
}
