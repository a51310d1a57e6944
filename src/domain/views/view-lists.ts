/** The lists whose URLs can be saved under a name, by their path. */
export const viewLists = ['issues', 'feedback', 'traces', 'logs', 'replays'] as const
export type ViewList = (typeof viewLists)[number]

/** What a URL says about a list: everything but the place in it. */
const kept = ['q', 'view', 'sort', 'columns', 'facets', 'project', 'env', 'range', 'start', 'end']
const maxChars = 4_000

/** The same text for the same list, whatever the order of the parameters; null if it is too long. */
export function cleanViewQuery(query: string): string | null {
  const given = new URLSearchParams(query)
  const pairs = kept.flatMap(name => {
    const value = given.get(name)
    return value === null || value === '' ? [] : [[name, value] as [string, string]]
  })
  const clean = new URLSearchParams(pairs).toString()
  return clean.length > maxChars ? null : clean
}
