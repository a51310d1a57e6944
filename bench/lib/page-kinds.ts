/** What is visited: each kind of page at several addresses in turn, so that no answer is the one just given. */
import { account } from './seeded-hydrant.ts'

export type PageKind = {
  name: string
  paths: string[]
  /** What the p95 of its content is promised to be at most: of the last byte, or of `content`. */
  boundMs: number
  /** What the visitor came for, if the rest of the page is sent after it. */
  content?: string
  /** Its time may not grow with the data. */
  isLevel: boolean
  /** Each address is visited once, so that nothing is known of it from before. */
  isFirstLook?: true
}

const list = `/${account.org}/issues`
/** A tag from the map, a promoted column, a pattern, a negation. */
const filters = ['cart.currency:SEK', 'browser.name:Firefox', 'release:shop@1.1*', '!plan:business', 'os.name:Windows']
const pagesRead = 10
const issuesVisited = 20
const firstLooks = 100
/** What broke and for whom; its trace, log lines and attachments follow. */
const stack = 'id="stack"'

/** Reads lists and issues as a visitor would, to learn which issues and events there are. */
export async function findPageKinds(read: (path: string) => Promise<string>): Promise<PageKind[]> {
  const found = await findIssues(read)
  const issues = spread(found, issuesVisited)
  const others = found.filter(issue => !issues.includes(issue))
  const unseen = spread(others, 2 * firstLooks)
  const events: string[] = []
  for (const issue of issues) {
    const html = await read(issue)
    const [event] = html.match(new RegExp(`${issue}/events/[0-9a-f]{32}`)) ?? []
    if (event) events.push(event)
  }
  if (issues.length === 0 || events.length === 0) throw new Error('no issue or no event is listed')
  const asked = (filter: string, range: string) =>
    `${list}?q=${encodeURIComponent(`is:unresolved ${filter}`)}&range=${range}`
  const sorted = (range: string) => ['urgency', 'lastSeen'].map(sort => `${list}?range=${range}&sort=${sort}`)
  return [
    { name: 'list, 24 h', paths: sorted('24h'), boundMs: 100, isLevel: true },
    { name: 'list, 30 days', paths: sorted('30d'), boundMs: 100, isLevel: true },
    { name: 'list by tag, 24 h', paths: filters.map(each => asked(each, '24h')), boundMs: 100, isLevel: false },
    { name: 'list by tag, 30 days', paths: filters.map(each => asked(each, '30d')), boundMs: 600, isLevel: false },
    {
      name: 'issue',
      paths: everySecond(unseen, 0),
      boundMs: 150,
      content: stack,
      isLevel: true,
      isFirstLook: true,
    },
    { name: 'issue, again within a minute', paths: issues, boundMs: 100, content: stack, isLevel: true },
    {
      name: 'event',
      paths: everySecond(unseen, 1).map(issue => `${issue}/events/oldest`),
      boundMs: 150,
      content: stack,
      isLevel: true,
      isFirstLook: true,
    },
    { name: 'event, again within a minute', paths: events, boundMs: 100, content: stack, isLevel: true },
  ]
}

/** From the busiest on, some pages of the list. Without the range that its links carry: the page of an issue is about all events. */
async function findIssues(read: (path: string) => Promise<string>): Promise<string[]> {
  const found = new Set<string>()
  let path: string | undefined = `${list}?range=30d&sort=events`
  for (let page = 0; path && page < pagesRead; page++) {
    const html = await read(path)
    for (const [, href = ''] of html.matchAll(new RegExp(`href="(${list}/\\d+)[?"]`, 'g'))) found.add(href)
    const [next = ''] = html.match(/<a[^>]*rel="next"[^>]*>/) ?? []
    path = /href="([^"]*)"/.exec(next)?.[1]?.replaceAll('&amp;', '&')
  }
  return [...found]
}

const everySecond = (values: string[], from: number): string[] => values.filter((_, index) => index % 2 === from)

/** Evenly, the first and the last among them. */
const spread = (values: string[], count: number): string[] => {
  const step = Math.max(1, (values.length - 1) / (count - 1))
  return Array.from({ length: Math.min(count, values.length) }, (_, index) => values[Math.round(index * step)] ?? '')
}
