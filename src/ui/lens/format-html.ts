/** Lines. What the helper sends is short; whoever sends more wants to be in the way. */
const maxLines = 120
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
const piece = /<!--[\s\S]{0,200}?-->|<\/?[a-z][^<>]*>|[^<]+|</gi

/** HTML as indented lines, for reading side by side: an element that holds only a short text stays on one line. */
export function formatHtml(html: string): string[] {
  const lines: string[] = []
  let depth = 0
  let isOpen = false // whether the last line is an opening tag that its text and end may join
  const put = (text: string): void => {
    lines.push('  '.repeat(Math.min(depth, 20)) + text)
  }
  for (const [raw] of html.matchAll(piece)) {
    if (lines.length >= maxLines) break
    const text = raw.replace(/\s+/g, ' ').trim()
    if (text === '' || text.startsWith('<!--')) continue
    const name = /^<(\/?)([a-z][\w-]*)/i.exec(text)
    if (name === null) {
      if (isOpen && text.length < 80) lines[lines.length - 1] += text
      else put(text)
      continue
    }
    if (name[1] === '/') {
      depth = Math.max(0, depth - 1)
      if (isOpen) lines[lines.length - 1] += text
      else put(text)
      isOpen = false
      continue
    }
    put(text)
    isOpen = !empty.test(name[2] ?? '') && !text.endsWith('/>')
    if (isOpen) depth++
  }
  return lines
}
