/** The URL of the page for a time range in milliseconds. */
export function rangeHref(path: string, search: string, start: number, end: number): string {
  const params = new URLSearchParams(search)
  params.set('start', String(Math.round(start)))
  params.set('end', String(Math.round(end)))
  return `${path}?${params}`
}
