import { expect, test } from 'vitest'
import { formatLine } from './open-log.ts'

test('a log line in a terminal has no control characters and does not look like two lines', () => {
  const line = JSON.stringify({
    time: '2026-11-16T10:00:00.000Z',
    level: 40,
    room: 'ingest',
    msg: 'refused',
    agent: '\u001b[2Jx\n10:00:01 info ingest: all is well',
    detail: { name: '\u009b2J' },
  })
  expect(formatLine(line)).toBe(
    '10:00:00 warn ingest: refused (agent=\\u001b[2Jx\n    10:00:01 info ingest: all is well, detail={"name":"\\u009b2J"})\n',
  )
})
