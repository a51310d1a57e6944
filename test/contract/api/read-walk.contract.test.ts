/**
 * Every read of the web API with nonsense in each parameter that it reads, with parameters that it doesn't know, and for a narrowed
 * viewer. Routes come from the table, and their parameters from what their handlers look for, so that a new one can't be forgotten.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#api/route.ts'
import { routes } from '#api/routes.ts'
import { type ApiWorld, startApiWorld } from './api-world.ts'
import { discoverParams } from './discover-params.ts'
import { fillPattern } from './fill-pattern.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world?.stop())

const reads = routes.filter(({ method }) => method === 'GET')
const nameOf = ({ method, pattern }: Route): string => `${method} ${pattern}`

/** As sentry-cli 3.8 and the MCP server 0.39 have sent them. */
const recordedReads = [
  '/api/0/organizations/other/chunk-upload/',
  '/api/0/projects/other/app/events/?cursor=',
  '/api/0/',
  '/api/0/projects/other/app/issues/?query=&cursor=',
  '/api/0/organizations/other/events/?dataset=logs&field=sentry.item_id&field=trace&field=severity&field=timestamp&field=message&query=project:app&per_page=100&statsPeriod=90d&sort=-timestamp',
  '/api/0/organizations/?cursor=',
  '/api/0/organizations/other/projects/?cursor=',
  '/api/0/projects/other/app/releases/',
  '/api/0/organizations/other/repos/?cursor=',
  '/api/0/auth/',
  '/api/0/organizations/?per_page=25',
  '/api/0/organizations/other/projects/?per_page=25',
  '/api/0/organizations/other/releases/',
  '/api/0/organizations/other/issues/?limit=10&sort=date&statsPeriod=24h&query=is%3Aunresolved&collapse=unhandled',
  '/api/0/organizations/other/events/?per_page=10&query=&dataset=spans&statsPeriod=14d&sampling=NORMAL&sort=-timestamp&field=id&field=span.op&field=span.description&field=span.duration&field=transaction&field=timestamp&field=project&field=trace',
  '/api/0/organizations/other/replay-count/?returnIds=true&query=issue.id%3A%5B77%5D&data_source=discover&statsPeriod=90d&project=-1',
  '/api/0/organizations/other/workflows/?per_page=10&sortBy=-id&query=name%3A%22*Secret*%22',
]

/** The query parameters that a route requires. */
const required: Readonly<Record<string, string>> = {
  '/api/0/projects/[org]/[project]/trace-items/[item]': 'trace_id={trace}',
  '/api/0/organizations/[org]/trace-logs': 'traceId={trace}',
  '/api/0/organizations/[org]/events': 'field=id&field=project',
  '/api/0/organizations/[org]/events/validate': 'field=id',
  '/api/0/organizations/[org]/events-stats': 'yAxis=count()',
}
const addressOf = (route: Route, change?: Record<string, string>): string => {
  const search = (required[route.pattern] ?? '').replace('{trace}', world.other.traceId)
  return `${fillPattern(route.pattern, world.other, change)}?${search}`
}

const numbers = ['undefined', 'NaN', '-1', '12x', '1e3', '0', '1.5', '[]', '{}', '9'.repeat(40), '\0']
const words = ['undefined', 'NaN', '-1', '12x', 'constructor', '[]', 'x'.repeat(5_000), '\0']
/** Values that no list can have, by parameter. Texts such as a name have none but U+0000. */
const nonsense: Readonly<Record<string, readonly string[]>> = {
  per_page: numbers,
  limit: numbers,
  topEvents: numbers,
  cursor: [...words, '0:0', '0:-1:0', '0:0:0:0'],
  statsPeriod: words,
  start: words,
  end: words,
  interval: words,
  project: words.filter(word => word !== '-1'),
  projectSlug: words.filter(word => word !== '-1'),
  orderBy: words,
  // Any other word can be a tag.
  orderby: ['p95(', 'x'.repeat(5_000), '\0'],
  sortBy: words,
  dataset: words,
  itemType: words,
  attributeType: words,
  field: ['p95(', 'nope()', 'x'.repeat(5_000), '\0'],
  yAxis: ['undefined', 'p95(', 'nope()', '-1', '\0'],
  query: ['(', '"a', '\0'],
  trace_id: words,
  traceId: words,
  returnIds: words,
  // Data, of which any text can be one.
  environment: ['\0'],
  name: ['\0'],
  id: ['\0'],
  substringMatch: ['\0'],
  additional_attributes: ['\0'],
}
/** Lists that define their own sort orders. */
const ownSorts = /\/(?:issues|replays|replay-count)$/
/** Reads whose `query` is a part of a name and not the search language. */
const plainQuery = /\/(?:projects|members|releases|workflows|detectors)$/

describe('every read', () => {
  test('answers in this world', async () => {
    const answers = await Promise.all(
      reads.map(async route => {
        const { status, text } = await world.call('GET', addressOf(route))
        return status === 200 ? [] : [`${nameOf(route)}: ${status} ${text.slice(0, 200)}`]
      }),
    )
    expect(answers.flat()).toEqual([])
  })

  test('refuses nonsense in each of its parameters with a sentence', async () => {
    const wrong: string[] = []
    const tried: string[] = []
    for (const route of reads)
      for (const name of await discoverParams(() => world.call('GET', addressOf(route)))) {
        const values = name === 'sort' ? nonsense[ownSorts.test(route.pattern) ? 'orderBy' : 'orderby'] : nonsense[name]
        if (values === undefined) wrong.push(`${nameOf(route)}: the test knows no nonsense for ${name}`)
        for (const value of values ?? []) {
          if (name === 'query' && plainQuery.test(route.pattern) && value !== '\0') continue
          const address = addressOf(route).replace(new RegExp(`([?&])${name}=[^&]*`, 'g'), '$1')
          const { status, text } = await world.call('GET', `${address}&${name}=${encodeURIComponent(value)}`)
          tried.push(name)
          const isRefused = (status === 400 || status === 404) && /"detail":"|"error":"/.test(text)
          if (!isRefused) wrong.push(`${nameOf(route)} ${name}=${value.slice(0, 20)}: ${status} ${text.slice(0, 100)}`)
        }
      }
    expect(wrong).toEqual([])
    expect(tried.length).toBeGreaterThan(800)
  })

  test('refuses nonsense in its path', async () => {
    const wrong: string[] = []
    // Before a release exists, tools ask what was before it.
    for (const route of reads)
      for (const [, name = ''] of route.pattern.matchAll(/\[(\w+)\]/g))
        if (name !== 'version' || !route.pattern.endsWith('/previous-with-commits'))
          for (const value of ['undefined', 'NaN', '-1', '12x', '1e3', '999999', 'x'.repeat(5_000), '\0']) {
            const { status } = await world.call('GET', addressOf(route, { [name]: value }))
            if (status !== 400 && status !== 404)
              wrong.push(`${nameOf(route)} [${name}]=${value.slice(0, 20)}: ${status}`)
          }
    expect(wrong).toEqual([])
  })

  test('ignores parameters that it does not know, which the tools of Sentry send', async () => {
    const unknown =
      'collapse=unhandled&expand=inbox&full=true&sampling=NORMAL&useRpc=1&download=1&shortIdLookup=1&x=%7B'
    const wrong: string[] = []
    for (const route of reads) {
      const address = addressOf(route)
      const [plain, more] = [await world.call('GET', address), await world.call('GET', `${address}&${unknown}`)]
      if (more.status !== 200 || more.text !== plain.text) wrong.push(`${nameOf(route)}: ${more.status}`)
    }
    expect(wrong).toEqual([])
  })
})

test('what the tools of Sentry ask for is not refused', async () => {
  const wrong: string[] = []
  for (const address of recordedReads) {
    const { status, text } = await world.call('GET', address.replace(/\/(?=\?|$)/, ''))
    if (status !== 200) wrong.push(`${address}: ${status} ${text.slice(0, 100)}`)
  }
  expect(wrong).toEqual([])
})

describe('a narrowed viewer', () => {
  /** Links name the address that was asked. */
  const answerOf = async (address: string, token: string): Promise<string> => {
    const { status, text } = await world.call('GET', address, { token })
    return `${status} ${text}`
  }
  const isScoped = ({ pattern }: Route): boolean =>
    pattern.includes('[org]') && !pattern.endsWith('/organizations/[org]')
  const narrowedTo = (address: string): string => `${address}&project=app`

  test('gets the same answers as a viewer who sees only that project, no matter who asked first', async () => {
    const { all, open } = world.tokens
    const wrong: string[] = []
    const differs: string[] = []
    for (const route of reads.filter(isScoped)) {
      const address = addressOf(route)
      world.forget()
      const only = await answerOf(address, open)
      world.forget()
      const wide = await answerOf(address, all)
      const afterWide = [await answerOf(address, open), await answerOf(narrowedTo(address), all)]
      world.forget()
      const narrowedFirst = await answerOf(narrowedTo(address), all)
      const afterNarrowed = [await answerOf(address, open), await answerOf(address, all)]
      if (only !== wide) differs.push(nameOf(route))
      if (narrowedFirst !== only)
        wrong.push(`${nameOf(route)}: narrowed ${narrowedFirst.slice(0, 300)}\n${only.slice(0, 300)}`)
      if (afterWide.some(text => text !== only)) wrong.push(`${nameOf(route)}: after a wide read`)
      if (afterNarrowed[0] !== only || afterNarrowed[1] !== wide) wrong.push(`${nameOf(route)}: after a narrowed read`)
    }
    expect(wrong).toEqual([])
    // Otherwise the comparison would prove nothing.
    const names = differs.map(name => name.replace('GET /api/0/organizations/[org]/', ''))
    expect(names).toEqual(
      expect.arrayContaining([
        ...['projects', 'environments', 'issues', 'releases', 'releases/[version]', 'channels', 'trace/[trace]'],
        ...['trace-meta/[trace]', 'replays', 'replay-count', 'events', 'events-stats'],
      ]),
    )
  })

  test('a project in the path is worth as much as one in the search', async () => {
    const { all, open } = world.tokens
    const wrong: string[] = []
    for (const route of reads.filter(({ pattern }) => pattern.includes('[project]'))) {
      world.forget()
      const [wide, only] = [await answerOf(addressOf(route), all), await answerOf(addressOf(route), open)]
      if (wide !== only) wrong.push(nameOf(route))
      const hidden = await world.call('GET', addressOf(route, { project: 'backend' }), { token: open })
      if (hidden.status !== 404) wrong.push(`${nameOf(route)} of the private project: ${hidden.status}`)
      const both = await world.call('GET', `${addressOf(route)}&project=backend`)
      if (both.status !== 404) wrong.push(`${nameOf(route)} of two projects: ${both.status}`)
    }
    expect(wrong).toEqual([])
  })

  test('of a project that does not exist or is hidden gets 404', async () => {
    for (const name of ['nope', 'backend', '902', '0', '801'])
      expect(
        (await world.call('GET', `/api/0/organizations/other/issues?project=${name}`, { token: world.tokens.open }))
          .status,
        name,
      ).toBe(404)
  })
})
