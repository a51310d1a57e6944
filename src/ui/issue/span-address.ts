/** The same page for a span of time, in milliseconds. */
export function spanAddress(path: string, search: string, start: number, end: number): string {
  const params = new URLSearchParams(search)
  params.set('start', String(Math.round(start)))
  params.set('end', String(Math.round(end)))
  return `${path}?${params}`
}
