import { expect, test } from 'vitest'
import type { ReplayError } from '#domain/replays/list-replay-errors.ts'
import type { ReplaySummary } from '#domain/replays/read-summaries.ts'
import { buildReplayData } from './build-replay-data.ts'

const startedAt = 1_790_000_000_000
const replay: ReplaySummary = {
  replayId: 'a'.repeat(32),
  projectId: 1,
  startedAt,
  endedAt: startedAt + 8_000,
  urls: ['https://shop.example/'],
  errors: 2,
  clicks: 0,
  deadClicks: 0,
  rageClicks: 0,
  activity: 1,
  user: { id: '', email: '', name: '', ip: '' },
  browser: '',
  os: '',
  device: '',
  release: '',
  environment: '',
  replayType: 'session',
  segmentCount: 1,
  missingSegments: [],
  traceIds: [],
  errorIds: [],
}
const errorAt = (at: number, title: string): ReplayError => ({
  eventId: title,
  at,
  level: 'error',
  title,
  issue: null,
  isServer: false,
  isOwn: true,
})

test('errors from before the recording are listed with how long before, and not drawn into it', () => {
  const errors = [errorAt(startedAt - 35_000, 'early'), errorAt(startedAt + 2_000, 'seen')]
  const data = buildReplayData({
    ...{ organizationSlug: 'acme', replay, errors, moments: [], servers: [], lines: [], t: '' },
  })
  const rowsOf = (id: string) =>
    data.tabs.find(tab => tab.id === id)?.rows.map(({ what, at, earlierMs }) => [what, at, earlierMs])
  expect(rowsOf('errors')).toEqual([
    ['early', 0, 35_000],
    ['seen', 2_000, undefined],
  ])
  expect(rowsOf('breadcrumbs')).toEqual([['seen', 2_000, undefined]])
  expect(data.marks.filter(({ kind }) => kind === 'error').map(({ label }) => label)).toEqual(['seen'])
})
