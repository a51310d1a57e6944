/** A simple tokenizer for snippets: comments, strings, numbers, keywords. Stack frames use a real grammar. */
export type CodeToken = { text: string; look: 'cc' | 'cs' | 'cn' | 'ck' | null }

const pattern =
  /(?<cc>\/\/[^\n]*)|(?<cs>'[^'\n]*'|"[^"\n]*"|`[^`]*`)|\b(?<ck>import|from|as|export|default|const|async|await|function|if|return|type)\b|\b(?<cn>\d+)\b/g

export function colorCode(code: string): CodeToken[] {
  const tokens: CodeToken[] = []
  let end = 0
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index), look: null })
    tokens.push({ text: match[0], look: lookOf(match.groups) })
    end = match.index + match[0].length
  }
  if (end < code.length) tokens.push({ text: code.slice(end), look: null })
  return tokens
}

function lookOf(groups: Record<string, string | undefined> | undefined): CodeToken['look'] {
  return (['cc', 'cs', 'ck', 'cn'] as const).find(name => groups?.[name] !== undefined) ?? null
}
