/** The address of one stream for several searches, each from a position of its own. The browser writes it, the server reads it. */

/** Of one stream. More than so many windows side by side get a second one. */
export const maxSearches = 20
/** Servers and proxies refuse longer addresses: 8 KB are common. */
const maxChars = 6_000

type Wanted = readonly [search: string, since: string]

/** At least one search each. */
export function splitSearches(wanted: readonly Wanted[]): Wanted[][] {
  const groups: Wanted[][] = []
  for (const each of wanted) {
    const group = groups.at(-1)
    if (group && group.length < maxSearches && tailAddress([...group, each]).length <= maxChars) group.push(each)
    else groups.push([each])
  }
  return groups
}

/** The path is that of the first: a stream belongs to somebody who may read its organization. */
export function tailAddress(wanted: readonly Wanted[]): string {
  const [path = ''] = (wanted[0]?.[0] ?? '').split('?')
  const params = wanted.flatMap(([search, since]) => [
    ['search', search],
    ['since', since],
  ])
  return `${path}?${new URLSearchParams(params)}`
}
