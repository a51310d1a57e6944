/** A message with everything that differs from one occurrence to the next replaced by its kind. */

/** Chars. What differs further back does not tell two problems apart. */
const maxChars = 1_000

/** One alternation, in one pass: the order decides where several would match. */
const variable = new RegExp(
  [
    '(?<email>[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64}){1,4})',
    '(?<url>\\b[a-z][a-z0-9+.-]{1,15}:\\/\\/[^\\s"\'<>)]+)',
    '(?<uuid>\\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\\b)',
    '(?<date>\\b\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?|\\b\\d\\d:\\d\\d:\\d\\d\\b)',
    '(?<ip>\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b)',
    '(?<hex>\\b0x[0-9a-f]+\\b|\\b(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{7,64}\\b)',
    '(?<duration>\\b\\d+(?:\\.\\d+)?(?:ns|us|µs|ms|s|min|h)\\b)',
    '(?<number>(?<![\\w#])[-+]?\\d+(?:[.,]\\d+)*(?!\\w))',
  ].join('|'),
  'gi',
)

export function parametrise(message: string): string {
  const head = firstLines(message.length > maxChars ? message.slice(0, maxChars) : message)
  return head.replace(variable, (...args) => {
    const groups = args.at(-1) as Record<string, string | undefined>
    for (const kind in groups) if (groups[kind] !== undefined) return `<${kind}>`
    return ''
  })
}

/** Two lines say what happened; the rest is often a dump. */
function firstLines(message: string): string {
  if (!message.includes('\n')) return message.trim()
  const lines = message.split('\n').filter(line => line.trim() !== '')
  return lines.slice(0, 2).join('\n').trim()
}
