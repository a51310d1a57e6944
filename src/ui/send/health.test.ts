import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeHealth, readHealth } from './health.ts'

it.each([
  [200, 'ready\n', 'Events are still being received.'],
  [200, 'ready\nengine: starting\n', 'Events are still being received.'],
  [503, 'not ready: the disk is full\n', 'Hydrant isn’t accepting events right now.'],
  // A proxy that answers in place of Hydrant.
  [200, '<!doctype html>', ''],
  [503, '<h1>Service unavailable</h1>', ''],
  [404, 'not found', ''],
])('an answer of %s with %j says %j', (status, text, said) => {
  expect(describeHealth(readHealth(status, text))).toBe(said)
})

/** Facts that no page knows unless it has just asked. */
const claims = [
  /events are (?:still |already )?being/i,
  /your (?:filters|changes|text) (?:are|is) (?:in|safe|kept)/i,
  /reach the database/i,
  /rest of the page still works/i,
]

it('no other source claims to know what is received, or why a query failed', () => {
  const root = join(import.meta.dirname, '../..')
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !path.endsWith('send/health.ts'))
    .filter(path => claims.some(claim => claim.test(readFileSync(join(root, path), 'utf8'))))
  expect(found).toEqual([])
})
