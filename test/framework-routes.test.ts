/** The spelling of every route that the spans of recorded apps name. */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { routeSamples } from '#react/route-sample.ts'
import { listCaptures, listScenarios, readCapture } from './read-capture.ts'
import { listFrameworkApps, readFrameworkCaptures } from './read-framework-captures.ts'

const folder = '[a-z0-9-]+'
const segment = `(?:${folder}|\\[[a-z]+\\]|\\[\\[[a-z]+\\]\\]|\\[\\.\\.\\.[a-z]*\\]|\\[\\[\\.\\.\\.[a-z]+\\]\\]|_error)`
const route = new RegExp(`^(?:|/|(?:/${segment})+)$`)

/** `next` is the example shop, with the App Router. */
const recordsOf = (app: string) =>
  app === 'next'
    ? listScenarios()
        .filter(name => name.startsWith('next-'))
        .map(name => [name, listCaptures(name).map(readCapture)] as const)
    : [...readFrameworkCaptures(app)]

const spansOf = (app: string) =>
  recordsOf(app).flatMap(([recordId, records]) =>
    records.flatMap(record => {
      const context = { recordId, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      return processRecord(record, context).rows.spans ?? []
    }),
  )

test.each(listFrameworkApps())('%s has no route in the syntax of its framework', app => {
  // Interactions are single spans in SDK 10, which name no SDK.
  const found = new Set(spansOf(app).flatMap(row => (row.sdk_name === '' ? [] : [row.route])))
  expect([...found].filter(each => !route.test(each))).toEqual([])
})

test.each(['astro', 'next', 'pages', 'rr', 'tss', 'vite', 'waku'])(
  '%s: requests for documents differ from those of scripts',
  app => {
    const kinds = new Set<string>()
    for (const row of spansOf(app)) {
      const dest = /sec[_-]fetch[_-]dest":"(?:\[\\")?(\w+)/.exec(JSON.stringify(row.attributes))?.[1]
      if (dest === undefined) continue
      for (const { measure, detail } of routeSamples({ ...row, route: '/' }))
        if (measure === 'request') kinds.add(`${dest === 'document' ? 'document' : 'other'} ${detail === 'document'}`)
    }
    expect([...kinds]).toContain('document true')
    expect([...kinds]).not.toContain('document false')
    expect([...kinds]).not.toContain('other true')
  },
)

test('Next.js App Router: requests for documents differ from those of scripts', () => {
  const kinds = new Set<string>()
  const scenarios = ['next-server-component-error', 'next-pageload', 'next-server-action', 'next-navigation']
  for (const name of scenarios.flatMap(listCaptures)) {
    const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    for (const row of processRecord(readCapture(name), context).rows.spans ?? []) {
      const dest = /sec[_-]fetch[_-]dest":"(?:\[\\")?(\w+)/.exec(JSON.stringify(row.attributes))?.[1]
      if (dest === undefined) continue
      for (const { measure, detail } of routeSamples({ ...row, route: '/' }))
        if (measure === 'request') kinds.add(`${dest === 'document' ? 'document' : 'other'} ${detail === 'document'}`)
    }
  }
  expect([...kinds].toSorted()).toEqual(['document true', 'other false'])
})

test('a fetcher of React Router has one name, whatever its id in React is', () => {
  const names = spansOf('rr3').flatMap(({ name, segment_name }) => [name, segment_name])
  expect([...new Set(names.filter(each => each.startsWith('Fetcher')))]).toEqual(['Fetcher'])
})

test.each(['astro', 'pages', 'rr', 'vite'])('%s: a prefetch is not a visit', app => {
  const prefetches = spansOf(app).filter(
    ({ op, attributes }) => op === 'http.server' && /purpose":"\W{0,4}prefetch/.test(JSON.stringify(attributes)),
  )
  expect(prefetches.length).toBeGreaterThan(0)
  expect(prefetches.flatMap(row => routeSamples({ ...row, route: '/' }))).toEqual([])
})

test.each(['astro', 'pages', 'remix', 'rr', 'tss', 'vite'])('%s: a page that was left early has not failed', app => {
  // SDK 10 sends a status, SDK 11 why the page view ended.
  const left = spansOf(app).filter(
    ({ attributes }) =>
      attributes['sentry.status.message'] === 'cancelled' ||
      attributes['sentry.idle_span_finish_reason'] === 'cancelled',
  )
  expect(left.some(({ op }) => op === 'pageload' || op === 'navigation')).toBe(true)
  expect(left.map(({ status }) => status)).toEqual(left.map(() => 'ok'))
})
