/**
 * Every write of the web API with nonsense in each of its parameters: it is refused, and nothing has changed. Routes come from the table,
 * and the fields of a body from its schema, so that a new one can't be forgotten.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#api/route.ts'
import { routes } from '#api/routes.ts'
import { onEachEngine } from '../on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { type ApiWorld, startApiWorld } from './api-world.ts'
import { fillPattern } from './fill-pattern.ts'

type Fields = Record<string, readonly unknown[]>
type Write = {
  /** A body with which the route succeeds, and the same for its path and search. */
  body?: Record<string, unknown>
  search?: string
  params?: Record<string, string>
  /** Nonsense for each field of the body. */
  fields?: Fields
  /** Nonsense for each parameter of the search. */
  searches?: Fields
}

const long = 'x'.repeat(1_000_000)
/** For names of one of several things, ids and times. */
const words = ['undefined', 'NaN', '-1', -1, '12x', '1e3', true, [], ['x'], {}, { a: 1 }, long, '\0']
/** For texts, of which any short one is right. */
const texts = [-1, 12.5, true, [], ['x'], {}, '\0']
const shortTexts = [...texts, long]
const flags = ['undefined', -1, 'true', [], {}, long]
const counts = ['undefined', 'NaN', '5', -1, 0, '12x', [], {}, long]
const projects = ['undefined', -1, {}, ['undefined'], [-1], ['12x'], [801], [['app']], [null], ['\0'], [long]]

const issueFields: Fields = {
  status: words,
  substatus: words,
  assignedTo: words,
  priority: words,
  statusDetails: ['undefined', -1, [], ['x'], { a: 1 }, { ignoreCount: -1 }, { inRelease: '' }],
  snoozeDuration: [...words, 5],
  ignoreDuration: counts,
  ignoreCount: [...counts, 1.5, 1e12],
  ignoreUserCount: [...counts, 1.5, 1e12],
  inRelease: [...texts, '', '..', long],
  inNextRelease: flags,
}
const bulk: Write = {
  search: 'id=77',
  body: { status: 'resolved' },
  fields: { ...issueFields, merge: ['undefined', -1, 2, 'yes', [], {}, long] },
  searches: {
    id: ['undefined', 'NaN', '', '-1', '12x', '1e3', '999999', '700', 'WEB-1', 'GONE-1', '[]', '\0', '9'.repeat(5_000)],
    status: ['undefined', '-1', 'constructor', '\0'],
    query: ['(', 'is:nonsense', '\0'],
    project: ['undefined', '-7', '801', 'web', '\0'],
    environment: ['undefined', '\0'],
    statsPeriod: ['undefined', '-1', '12x', '\0'],
    start: ['undefined', '-1', '\0'],
    end: ['undefined', '-1', '\0'],
  },
}
const oneIssue: Write = { body: { priority: 'high' }, fields: issueFields }
const releaseFields: Fields = {
  projects,
  url: shortTexts,
  ref: shortTexts,
  dateStarted: words,
  dateReleased: words,
  commits: [
    ...['x', -1, {}, ['x'], [{}], [{ id: '' }], [{ id: long }], [{ id: 7 }]],
    ...[[{ id: 'a', timestamp: 'soon' }], [{ id: 'a', patch_set: 'x' }], [{ id: 'a', patch_set: [{}] }]],
    ...[[{ id: 'a', author_name: long }], [{ id: 'a', message: '\0' }]],
  ],
  refs: ['x', -1, {}, ['x'], [{}], [{ commit: '' }], [{ commit: long }], [{ commit: 'a', repository: 7 }]],
  status: words,
}
/** Any line of at most 250 characters can be the version of a release. */
const versions = ['..', '.', '\0', 'a\nb', long.slice(0, 5_000)]

const issueOf = (issue: string) => ({ params: { issue } })
const writes: Record<string, Write> = {
  'PUT /api/0/organizations/[org]/issues': bulk,
  'PUT /api/0/projects/[org]/[project]/issues': { ...bulk, body: { status: 'unresolved' } },
  'PUT /api/0/organizations/[org]/issues/[issue]': oneIssue,
  'PUT /api/0/issues/[issue]': { ...oneIssue, ...issueOf('80') },
  'POST /api/0/organizations/[org]/issues/[issue]/notes': {
    body: { text: 'hello' },
    fields: { text: [...shortTexts, '', ' '] },
  },
  'PUT /api/0/organizations/[org]/issues/[issue]/notes/[note]': {
    body: { text: 'hello again' },
    fields: { text: [...shortTexts, '', ' '] },
  },
  'DELETE /api/0/organizations/[org]/issues/[issue]/notes/[note]': {},
  'POST /api/0/organizations/[org]/releases': {
    body: { version: 'new@1', projects: ['app'] },
    fields: { ...releaseFields, version: [...texts, '', ...versions] },
  },
  'PUT /api/0/organizations/[org]/releases/[version]': {
    body: { projects: ['app'], ref: 'main' },
    fields: releaseFields,
  },
  'DELETE /api/0/organizations/[org]/releases/[version]': { params: { version: 'new@1' } },
  'POST /api/0/projects/[org]/[project]/releases': {
    body: { version: 'new@2' },
    fields: { ...releaseFields, version: [...texts, '', ...versions] },
  },
  'PUT /api/0/projects/[org]/[project]/releases/[version]': { body: { ref: 'next' }, fields: releaseFields },
  'DELETE /api/0/projects/[org]/[project]/releases/[version]': { params: { version: 'new@2' } },
  'POST /api/0/organizations/[org]/releases/[version]/deploys': {
    body: { environment: 'production' },
    fields: {
      environment: [...shortTexts, '', 'a b', 'a/b'],
      name: shortTexts,
      url: shortTexts,
      dateStarted: words,
      dateFinished: words,
      projects,
    },
  },
  'POST /api/0/organizations/[org]/chunk-upload': {},
  'POST /api/0/organizations/[org]/artifactbundle/assemble': {
    body: { checksum: 'a'.repeat(40), chunks: ['a'.repeat(40)], projects: ['app'] },
    fields: {
      checksum: [...words, 'A'.repeat(40), 'a'.repeat(41)],
      chunks: ['x', -1, {}, ['x'], [7], [long]],
      projects: [...projects, []],
      version: [...texts, ...versions],
      dist: shortTexts,
    },
  },
}

const nameOf = ({ method, pattern }: Route): string => `${method} ${pattern}`
const writing = routes.filter(({ method }) => method !== 'GET')
const bodyKeys = ({ handle }: Route): string[] => {
  const { schema } = handle
  return schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : []
}

test('each write of the table is walked, with each field of its body', () => {
  expect(Object.keys(writes).sort()).toEqual(writing.map(nameOf).sort())
  for (const route of writing)
    expect([nameOf(route), Object.keys(writes[nameOf(route)]?.fields ?? {}).sort()]).toEqual([
      nameOf(route),
      bodyKeys(route).sort(),
    ])
  expect(writing.flatMap(bodyKeys).length).toBeGreaterThan(60)
})

const pathValues: Readonly<Record<string, readonly string[]>> = {
  org: ['undefined', 'acme', '800', '-1', '\0'],
  project: ['undefined', 'web', '801', 'gone', '-1', '12x', '\0', long.slice(0, 5_000)],
  issue: ['undefined', 'NaN', '-1', '12x', '1e3', '999999', '700', 'WEB-1', '\0', '9'.repeat(40)],
  note: ['undefined', 'NaN', '-1', '12x', '1e3', '999999', '1.5', '\0', '9'.repeat(40)],
  // A URL has no segments of dots.
  version: ['\0', 'a\nb', long.slice(0, 5_000)],
}

onEachEngine(({ dialect, newControl }) => {
  describe('a write', () => {
    let store: TelemetryUnderTest
    let world: ApiWorld
    let note: string
    beforeAll(async () => {
      store = await borrowTelemetry()
    })
    afterAll(() => store?.stop())

    const send = (route: Route, write: Write, change: { params?: object; search?: string; body?: unknown } = {}) => {
      const params = { version: world.other.release.version, note, ...write.params, ...change.params }
      const path = fillPattern(route.pattern, world.other, params)
      const body = change.body ?? write.body
      return world.call(route.method, `${path}?${change.search ?? write.search ?? ''}`, { body })
    }

    test(`with nonsense is refused and changes nothing on ${dialect}`, async () => {
      world = await startApiWorld(store, await newControl())
      const made = await world.call('POST', '/api/0/organizations/other/issues/77/notes', { body: { text: 'mine' } })
      note = (JSON.parse(made.text) as { id: string }).id
      const before = await world.dump()
      const wrong: string[] = []
      let tried = 0
      const refuse = async (what: string, answer: Promise<{ status: number; text: string }>) => {
        const { status, text } = await answer
        tried++
        if (![400, 404, 413].includes(status)) wrong.push(`${what.slice(0, 150)}: ${status} ${text.slice(0, 80)}`)
      }
      /** After all requests to one route, because a dump takes as long as many of them. */
      const expectUnchanged = async (what: string) => {
        if ((await world.dump()) !== before) throw new Error(`${what}: the database has changed`)
      }
      for (const route of writing) {
        const name = nameOf(route)
        const write = writes[name] ?? {}
        for (const [, param = ''] of route.pattern.matchAll(/\[(\w+)\]/g)) {
          for (const value of pathValues[param] ?? [])
            await refuse(`${name} [${param}]=${value}`, send(route, write, { params: { [param]: value } }))
        }
        for (const [param, values] of Object.entries(write.searches ?? {})) {
          for (const value of values) {
            // A search beside an id would not be looked at.
            const rest = param === 'id' || param === 'project' ? `${write.search}&` : 'query=Secret&'
            const base = param === 'id' ? '' : param === 'query' ? '' : rest
            const search = `${base}${param}=${encodeURIComponent(String(value))}`
            await refuse(`${name} ?${search}`, send(route, write, { search }))
          }
        }
        for (const [field, values] of Object.entries(write.fields ?? {})) {
          for (const value of values)
            await refuse(
              `${name} ${field}=${JSON.stringify(value)}`,
              send(route, write, { body: { ...write.body, [field]: value } }),
            )
        }
        if (write.fields !== undefined)
          for (const body of ['null', '[]', '"x"', '7', 'undefined', '{', '\0'])
            await refuse(`${name} with the body ${body}`, send(route, write, { body }))
        await refuse(
          `${name} of a stranger`,
          world.call(route.method, fillPattern(route.pattern, world.other, { note }), {
            token: world.tokens.stranger,
            body: write.body,
          }),
        )
        await expectUnchanged(name)
      }
      expect(wrong).toEqual([])
      expect(tried).toBeGreaterThan(900)
      await world.stop()
    })

    test(`without nonsense succeeds on ${dialect}`, async () => {
      world = await startApiWorld(store, await newControl())
      const made = await world.call('POST', '/api/0/organizations/other/issues/77/notes', { body: { text: 'mine' } })
      note = (JSON.parse(made.text) as { id: string }).id
      const wrong: string[] = []
      for (const route of writing.filter(({ pattern }) => !pattern.endsWith('/chunk-upload'))) {
        const before = await world.dump()
        const { status, text } = await send(route, writes[nameOf(route)] ?? {})
        if (status < 200 || status > 299) wrong.push(`${nameOf(route)}: ${status} ${text}`)
        else if ((await world.dump()) === before && !route.pattern.endsWith('/assemble'))
          wrong.push(`${nameOf(route)} changed nothing`)
      }
      expect(wrong).toEqual([])
      await world.stop()
    })
  })
})
