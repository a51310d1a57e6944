import { expect, test } from 'vitest'
import { deployMarks } from './deploy-marks.ts'

test('of several deploys to an environment the newest is marked, if the chart shows its time', () => {
  const deploys = [
    { environment: 'production', finishedAt: 90 },
    { environment: 'staging', finishedAt: 40 },
    { environment: 'production', finishedAt: 20 },
    { environment: 'preview', finishedAt: 5 },
  ]
  expect(deployMarks(deploys, { from: 10, to: 100 })).toEqual([
    { release: 'production', at: 90 },
    { release: 'staging', at: 40 },
  ])
})
