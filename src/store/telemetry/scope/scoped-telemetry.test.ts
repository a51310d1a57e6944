import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Query } from '../query.ts'
import type { Telemetry } from '../telemetry.ts'
import { scopeTelemetry } from './scoped-telemetry.ts'

/** Records what would be sent. */
function recordSent() {
  const sent: Query<unknown>[] = []
  const query = async (given: Query<unknown>) => {
    sent.push(given)
    return []
  }
  return { sent, telemetry: { query, columns: query } as unknown as Telemetry }
}

const schema = z.object({})
const query = 'SELECT a FROM events WHERE {scope} AND a = {a:String}'

test('a query is sent with the projects of the scope, as a bound parameter', async () => {
  const { sent, telemetry } = recordSent()
  await scopeTelemetry(telemetry, [3, 5]).query({ query, params: { a: 'x' }, schema })
  expect(sent[0]?.params).toEqual({ a: 'x', scope_projects: [3, 5] })
  expect(sent[0]?.query).toContain('events.project_id IN {scope_projects:Array(UInt64)}')
})

test('a scope can only become smaller, and an empty one matches no project', async () => {
  const { sent, telemetry } = recordSent()
  const scope = scopeTelemetry(telemetry, [3, 5])
  await scope.within([5, 7]).columns({ query, schema })
  await scope.within([7]).query({ query, schema })
  await scope.within([]).query({ query, schema })
  await scope.within([3]).within(undefined).query({ query, schema })
  await scope.within([3]).within([5]).query({ query, schema })
  await scopeTelemetry(telemetry, []).query({ query, schema })
  expect(sent.map(({ params }) => params?.scope_projects)).toEqual([[5], [0], [0], [3], [0], [0]])
})

test('a query without the scope, or with projects of its own choice, is not sent', async () => {
  const { sent, telemetry } = recordSent()
  const scope = scopeTelemetry(telemetry, [3])
  await expect(scope.query({ query: 'SELECT a FROM events', schema })).rejects.toThrow('Unscoped query')
  await expect(scope.columns({ query: 'SELECT a FROM events', schema })).rejects.toThrow('Unscoped query')
  await expect(scope.query({ query, params: { scope_projects: [7] }, schema })).rejects.toThrow('set by the scope')
  expect(sent).toEqual([])
})

test('deleted groups are read once, and only for queries of events', async () => {
  const { sent, telemetry } = recordSent()
  let reads = 0
  const scope = scopeTelemetry(telemetry, [3], async () => {
    reads += 1
    return [
      { projectId: 3, hash: 'a'.repeat(32), deletedAt: 5 },
      { projectId: 3, hash: 'a'.repeat(32), deletedAt: 9 },
    ]
  })
  await scope.query({ query: 'SELECT a FROM spans WHERE {scope}', schema })
  expect(reads).toBe(0)
  await scope.query({ query, params: { a: 'x' }, schema })
  await scope.within([3]).query({ query, params: { a: 'y' }, schema })
  expect(reads).toBe(1)
  expect(sent[0]?.params).toEqual({ scope_projects: [3] })
  expect(sent[2]?.params).toEqual({
    a: 'y',
    scope_projects: [3],
    deleted_hashes: ['a'.repeat(32)],
    deleted_keys: [`3 ${'a'.repeat(32)}`],
    deleted_at: [9],
  })
  expect(sent[2]?.query).toContain('AND NOT (events.group_hash IN')
})
