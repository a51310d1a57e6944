/** The files of a snippet: each begins with a comment that starts with its name. */
export function splitSnippet(code: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const part of code.split(/^(?=\/\/ [\w./-]+\.(?:tsx?|m?js)\b)/m)) {
    const name = /^\/\/ ([\w./-]+)/.exec(part)?.[1]?.replace(/:$/, '')
    if (!name) throw new Error(`This snippet does not say which file it is:\n${part}`)
    files.set(name, part)
  }
  return files
}
