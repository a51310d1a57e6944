/**
 * Every write of the web API with nonsense in each of its parameters, and with fields that it doesn't know: it is refused, and nothing has
 * changed. Routes come from the table, fields from the schema of the body, and parameters of the search from what handlers look for, so
 * that a new one can't be forgotten.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#api/route.ts'
import { routes } from '#api/routes.ts'
import { onPostgres } from '../on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { type ApiWorld, startApiWorld } from './api-world.ts'
import { discoverParams } from './discover-params.ts'
import { fillPattern } from './fill-pattern.ts'

type Fields = Record<string, readonly unknown[]>
type Write = {
  /** A body with which the route succeeds, and the same for its path and search. */
  body?: Record<string, unknown>
  search?: string
  params?: Record<string, string>
  /** Nonsense for each field of the body, also for those of the objects in it: `commits.id`. */
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
  inRelease: [...texts, '', '..', long, 'latest', 'app@404'],
  inNextRelease: flags,
  'statusDetails.ignoreDuration': counts,
  'statusDetails.ignoreCount': counts,
  'statusDetails.ignoreUserCount': counts,
  'statusDetails.inRelease': [...texts, '', 'app@404'],
  'statusDetails.inNextRelease': flags,
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
const newReleaseFields: Fields = {
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
  'commits.id': [...texts, ''],
  'commits.repository': shortTexts,
  'commits.author_name': shortTexts,
  'commits.author_email': shortTexts,
  'commits.message': texts,
  'commits.timestamp': words,
  'commits.patch_set': ['x', -1, {}, ['x'], [{}], [null]],
  'commits.patch_set.path': [...texts, ''],
  'commits.patch_set.type': words,
  'refs.commit': [...texts, ''],
  'refs.repository': shortTexts,
  'refs.previousCommit': shortTexts,
}
/** One of each object in a body, with what it requires. */
const parents: Readonly<Record<string, object | object[]>> = {
  statusDetails: {},
  commits: [{ id: 'a' }],
  'commits.patch_set': [{ path: 'a.ts', type: 'M' }],
  refs: [{ commit: 'a' }],
}
const releaseFields: Fields = { ...newReleaseFields, version: [...texts, 'other@1', long] }
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
    fields: { ...newReleaseFields, version: [...texts, '', ...versions] },
  },
  'PUT /api/0/organizations/[org]/releases/[version]': {
    body: { projects: ['app'], ref: 'main' },
    fields: releaseFields,
  },
  'DELETE /api/0/organizations/[org]/releases/[version]': { params: { version: 'new@1' } },
  'POST /api/0/projects/[org]/[project]/releases': {
    body: { version: 'new@2' },
    fields: { ...newReleaseFields, version: [...texts, '', ...versions] },
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
/** Parts of a schema that contain others: an object, a list, or an optional value. */
type Schema = { shape?: Record<string, Schema>; def?: { innerType?: Schema; element?: Schema } }
const keysOf = (schema: Schema, above = ''): string[] => {
  const inner = schema.def?.innerType ?? schema.def?.element
  if (inner !== undefined) return keysOf(inner, above)
  return Object.entries(schema.shape ?? {}).flatMap(([name, field]) => [
    `${above}${name}`,
    ...keysOf(field, `${above}${name}.`),
  ])
}
const bodyKeys = ({ handle: { schema } }: Route): string[] => (schema === undefined ? [] : keysOf(schema as Schema))

/** The body with a value in one of its fields, in the objects that it takes to get there. */
function bodyWith(body: object | undefined, path: string, value: unknown): object {
  const names = path.split('.')
  const build = (depth: number): unknown => {
    const [name] = names.slice(depth)
    if (name === undefined) return value
    const parent = parents[names.slice(0, depth).join('.')]
    const filled = { ...[parent].flat()[0], [name]: build(depth + 1) }
    return Array.isArray(parent) ? [filled] : filled
  }
  return { ...body, [names[0] ?? '']: build(1) }
}

/** Of every route. */
const narrowing = ['project', 'projectSlug']

const multipart = (disposition: string, content: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--x--\r\n`,
})
const sha = 'a'.repeat(40)
/** Requests with chunks that are refused: an unknown part, an invalid name, the checksum of another file, no gzip, half a body. */
const wrongChunks = [
  multipart(`name="other"; filename="${sha}"`, 'x'),
  multipart('name="file"; filename="undefined"', 'x'),
  multipart('name="file"', 'x'),
  multipart(`name="file"; filename="${sha.toUpperCase()}"`, 'x'),
  multipart(`name="file"; filename="${sha}"`, 'x'),
  multipart(`name="file_gzip"; filename="${sha}"`, 'x'),
  { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\nContent-' },
  { headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
  { headers: { 'content-type': 'application/json' }, body: '{}' },
]

test('each write of the table is walked, with each field of its body', () => {
  expect(Object.keys(writes).sort()).toEqual(writing.map(nameOf).sort())
  for (const route of writing)
    expect([nameOf(route), Object.keys(writes[nameOf(route)]?.fields ?? {}).sort()]).toEqual([
      nameOf(route),
      bodyKeys(route).sort(),
    ])
  expect(writing.flatMap(bodyKeys).length).toBeGreaterThan(110)
})

const pathValues: Readonly<Record<string, readonly string[]>> = {
  org: ['undefined', 'acme', '800', '-1', '\0'],
  project: ['undefined', 'web', '801', 'gone', '-1', '12x', '\0', long.slice(0, 5_000)],
  issue: ['undefined', 'NaN', '-1', '12x', '1e3', '999999', '700', 'WEB-1', '\0', '9'.repeat(40)],
  note: ['undefined', 'NaN', '-1', '12x', '1e3', '999999', '1.5', '\0', '9'.repeat(40)],
  // A URL has no segments of dots.
  version: ['\0', 'a\nb', long.slice(0, 5_000)],
}

onPostgres(({ dialect, newControl }) => {
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
        for (const param of narrowing)
          await refuse(`${name} ?${param}`, send(route, write, { search: `${write.search ?? ''}&${param}=undefined` }))
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
              send(route, write, { body: bodyWith(write.body, field, value) }),
            )
        }
        if (write.fields !== undefined)
          for (const parent of ['', ...Object.keys(parents).filter(each => each in (write.fields ?? {}))]) {
            const field = parent === '' ? 'unknown' : `${parent}.unknown`
            await refuse(
              `${name} with the field ${field}`,
              send(route, write, { body: bodyWith(write.body, field, 1) }),
            )
          }
        if (route.pattern.endsWith('/chunk-upload'))
          for (const [index, chunk] of wrongChunks.entries())
            await refuse(`${name} chunk ${index}`, world.call('POST', fillPattern(route.pattern, world.other), chunk))
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
      expect(tried).toBeGreaterThan(1_200)
      await world.stop()
    })

    test(`without nonsense succeeds on ${dialect}`, async () => {
      world = await startApiWorld(store, await newControl())
      const made = await world.call('POST', '/api/0/organizations/other/issues/77/notes', { body: { text: 'mine' } })
      note = (JSON.parse(made.text) as { id: string }).id
      const wrong: string[] = []
      for (const route of writing.filter(({ pattern }) => !pattern.endsWith('/chunk-upload'))) {
        const before = await world.dump()
        const write = writes[nameOf(route)] ?? {}
        let answer = { status: 0, text: '' }
        const looked = await discoverParams(async () => {
          if (write.searches !== undefined) await send(route, write, { search: 'query=nothing-has-this' })
          answer = await send(route, write)
        })
        const known = new Set([...narrowing, ...Object.keys(write.searches ?? {})])
        for (const param of looked) if (!known.has(param)) wrong.push(`${nameOf(route)}: no nonsense for ?${param}`)
        const { status, text } = answer
        if (status < 200 || status > 299) wrong.push(`${nameOf(route)}: ${status} ${text}`)
        else if ((await world.dump()) === before && !route.pattern.endsWith('/assemble'))
          wrong.push(`${nameOf(route)} changed nothing`)
      }
      expect(wrong).toEqual([])
      await world.stop()
    })
  })
})
