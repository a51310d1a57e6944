import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFeedbackParams } from './feedback/search-params.ts'
import type { IgnoredParam } from './ignored-params.ts'
import { readEventsAddress } from './issues/[issueId]/events/search-params.ts'
import { readIssueAddress } from './issues/[issueId]/search-params.ts'
import { readIssueParams } from './issues/search-params.ts'
import { readLogParams } from './logs/search-params.ts'
import { readProfileParams } from './profiles/search-params.ts'
import { readReleaseParams } from './releases/search-params.ts'
import { readReplayParams } from './replays/search-params.ts'
import { readRouteParams } from './routes/search-params.ts'
import { readAuditParams } from './settings/audit/search-params.ts'
import { readTraceParams } from './traces/search-params.ts'

type Raw = Record<string, string | string[]>
type Reader = (raw: Raw) => { ignored?: readonly IgnoredParam[] | undefined }
const scope = ['range', 'start', 'end', 'env']
const listed = [...scope, 'q', 'sort', 'after']

/** Each file that reads the URL of a page, and its parameters with a limited choice of values. */
const readers: Record<string, { read: Reader; names: string[]; right: Raw }> = {
  'issues/search-params.ts': { read: readIssueParams, names: listed, right: { sort: 'events', after: '1-2-3-4' } },
  'traces/search-params.ts': { read: readTraceParams, names: listed, right: { sort: 'newest', q: '' } },
  'profiles/search-params.ts': { read: readProfileParams, names: listed, right: { q: 'op:db' } },
  'replays/search-params.ts': { read: readReplayParams, names: listed, right: { sort: 'rage' } },
  'logs/search-params.ts': { read: readLogParams, names: [...listed, 'live'], right: { live: '1', columns: 'a,b' } },
  'releases/search-params.ts': { read: readReleaseParams, names: [...scope, 'sort', 'page'], right: { page: '2' } },
  'feedback/search-params.ts': { read: readFeedbackParams, names: [...scope, 'view', 'page'], right: { page: '2' } },
  'routes/search-params.ts': {
    read: readRouteParams,
    names: [...scope, 'view', 'sort', 'chart'],
    right: { chart: 'cls' },
  },
  'issues/[issueId]/search-params.ts': {
    read: raw => readIssueAddress(raw).scope,
    names: [...scope, 'stack'],
    right: { stack: 'raw', query: 'a b' },
  },
  'settings/audit/search-params.ts': {
    read: raw => readAuditParams(raw, ['member']),
    names: ['q', 'subject', 'days', 'before', 'verify'],
    right: { subject: 'member', days: '0', before: '7', verify: '1' },
  },
  'issues/[issueId]/events/search-params.ts': { read: readEventsAddress, names: ['sort', 'after'], right: {} },
}
/** No value of any of them. */
const nonsense: Record<string, readonly (string | string[])[]> = {
  q: ['x'.repeat(5_000), ['a', 'b']],
  env: [['a', 'b']],
  page: ['0', '-1', 'NaN', '1e9', 'x', '1.5'],
}
const any = ['undefined', 'NaN', '-1', '12x', '14d', 'constructor', 'x'.repeat(5_000), ['24h', '7d']]

describe.each(Object.entries(readers))('%s', (_, { read, names, right }) => {
  test('names each parameter whose value it does not know', () => {
    for (const name of names)
      for (const value of nonsense[name] ?? any) {
        const { ignored = [] } = read({ [name]: value })
        expect([name, ignored]).toEqual([name, [{ name, value: [value].flat().join(',') }]])
      }
  })

  test('names nothing that it knows, nor what is of others', () => {
    const times = { start: '2026-11-15', end: '2026-11-16T10:00:00' }
    expect(read({ ...right, range: '7d', env: 'production', ...times }).ignored).toEqual([])
    expect(read({ project: 'web', undo: 'x', utm_source: 'mail', range: '', sort: '' }).ignored).toEqual([])
    expect(read({}).ignored).toEqual([])
  })
})

const folder = import.meta.dirname
const filesWith = (pattern: RegExp, files: string): string[] =>
  globSync(files, { cwd: folder })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => pattern.test(readFileSync(join(folder, path), 'utf8')))
    .sort()

test('every reader of the URL of a list is among them', () => {
  const known = filesWith(/readScopeParams\(|defineList\(|after\?: |listIgnored\(/, '**/search-params.ts')
  expect(Object.keys(readers).sort()).toEqual(known)
})

test('every page with a time picker says what it has ignored', () => {
  const pages = filesWith(/<(?:Scope)?Pickers\b/, '**/*.tsx').filter(path => !/pickers\.tsx$/.test(path))
  expect(pages.length).toBeGreaterThan(7)
  expect(filesWith(/<IgnoredNote\b/, '**/*.tsx')).toEqual([...pages, 'settings/audit/page.tsx'])
})
