import { expect, test } from 'vitest'
import { findRouteLane } from './route-lanes.ts'

test('a request takes the lane of its route, however its path is spelled', () => {
  const streams = ['/api/live?org=acme', '/api/live/', '/acme/logs/tail', '/acme//logs/./tail?q=1', '/acme/logs/tai%6c']
  expect(streams.map(findRouteLane)).toEqual(streams.map(() => 'stream'))
  const downloads = [
    '/acme/logs/export?format=csv',
    '/acme/replays/r1/recording',
    '/api/0/projects/acme/web/events/e1/attachments/a1/',
    '/acme/x/../settings/audit/export',
  ]
  expect(downloads.map(findRouteLane)).toEqual(downloads.map(() => 'download'))
  const pages = [
    '/',
    '/login',
    '/acme/logs',
    '/acme/logs/lines',
    '/acme/replays/r1',
    '/api/0/',
    '/acme/logs/tail/x',
    '/%ff',
  ]
  expect(pages.map(findRouteLane)).toEqual(pages.map(() => null))
})
