import { expect, test } from 'vitest'
import { inWords } from './open-log.ts'

test('a log line in a terminal carries no control characters and begins no other line', () => {
  const line = JSON.stringify({
    time: '2026-11-16T10:00:00.000Z',
    level: 40,
    room: 'ingest',
    msg: 'refused',
    agent: '\u001b[2Jx\n10:00:01 info ingest: all is well',
    detail: { name: '\u009b2J' },
  })
  expect(inWords(line)).toBe(
    '10:00:00 warn ingest: refused (agent=\\u001b[2Jx\n    10:00:01 info ingest: all is well, detail={"name":"\\u009b2J"})\n',
  )
})
