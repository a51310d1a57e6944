/** `/items/[id]/edit` → `/items/`, `[id]`, `/edit`: every second part stands for many addresses. */
export function splitRoute(route: string): string[] {
  const parts: string[] = []
  let plain = ''
  for (const [at, segment] of route.split('/').entries()) {
    const start = segment.indexOf('[')
    const end = segment.lastIndexOf(']') + 1
    if (at > 0) plain += '/'
    if (start === -1 || end <= start) {
      plain += segment
      continue
    }
    parts.push(plain + segment.slice(0, start), segment.slice(start, end))
    plain = segment.slice(end)
  }
  return [...parts, plain]
}
