import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnvelope } from '#protocol/read-envelope.ts'
import { openControl } from '#store/control/open-control.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { expectedRows } from '../../fixtures/expected-rows.ts'
import { listCaptures, listScenarios, readCapture } from '../../read-capture.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import { knowsKey } from '../knows-key.ts'
import { recordedKey, replayCapture } from '../replay-capture.ts'

/** This scenario keeps its DSN, as when a team only changes the host. The others have a project each. */
const unchanged = { scenario: 'node-error', projectId: 42 }
const scenarios = listScenarios()
const projectOf = (scenario: string): number =>
  scenario === unchanged.scenario ? unchanged.projectId : 1_000 + scenarios.indexOf(scenario)
const keyOf = (scenario: string): string =>
  scenario === unchanged.scenario ? recordedKey : String(projectOf(scenario)).padStart(32, '0')
const isOwn = `project_id IN (${scenarios.map(projectOf).join()})`

export function testCaptures(running: () => Hydrant): void {
  describe('recorded requests', () => {
    let hydrant: Hydrant
    let telemetry: Telemetry
    /** What asking for the keys has counted. */
    let before: Map<string, number>

    beforeAll(async () => {
      hydrant = running()
      telemetry = openTelemetry({ kind: 'socket', socketPath: join(hydrant.dataDir, 'run', 'engine.sock') })
      const owner = ['--org', 'acme', '--email', 'owner@acme.dev', '--password', 'correct horse battery']
      await hydrant.init(
        ...owner,
        '--project',
        'node',
        '--key',
        recordedKey,
        '--project-id',
        String(unchanged.projectId),
      )
      await addProjects()
      for (const scenario of scenarios) {
        const { host } = new URL(hydrant.url)
        await knowsKey(`http://${keyOf(scenario)}@${host}/${projectOf(scenario)}`)
      }
      await hydrant.drained()
      before = await hydrant.metrics()
    })
    afterAll(() => telemetry?.close())

    async function addProjects(): Promise<void> {
      const control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
      const { organization_id, ...like } = await control.db
        .selectFrom('project')
        .selectAll()
        .where('id', '=', unchanged.projectId)
        .executeTakeFirstOrThrow()
      const { id: _, ...key } = await control.db
        .selectFrom('project_key')
        .selectAll()
        .where('project_id', '=', unchanged.projectId)
        .executeTakeFirstOrThrow()
      for (const scenario of scenarios.filter(one => one !== unchanged.scenario)) {
        const id = projectOf(scenario)
        await control.db
          .insertInto('project')
          .values({ ...like, organization_id, id, slug: scenario })
          .execute()
        await control.db
          .insertInto('project_key')
          .values({ ...key, project_id: id, public_key: keyOf(scenario) })
          .execute()
      }
      await control.close()
    }

    async function replay(captures: string[]): Promise<{ capture: string; status: number }[]> {
      const responses = []
      for (const capture of captures) {
        const scenario = capture.split('/')[0] ?? ''
        const { status } = await replayCapture(capture, {
          url: hydrant.url,
          projectId: projectOf(scenario),
          publicKey: keyOf(scenario),
        })
        responses.push({ capture, status })
      }
      return responses
    }

    const rowCounts = z.object({ project: z.coerce.number(), n: z.coerce.number() })

    /** Rows per scenario and table, and how much the SDKs said they had lost. */
    async function countStored(): Promise<Record<string, Record<string, number>>> {
      const stored: Record<string, Record<string, number>> = Object.fromEntries(
        scenarios.map(scenario => [scenario, {}]),
      )
      const add = (name: string, rows: z.infer<typeof rowCounts>[]) => {
        for (const { project, n } of rows) {
          const counts = stored[scenarios.find(scenario => projectOf(scenario) === project) ?? '']
          if (counts) counts[name] = n
        }
      }
      for (const table of tableNames.filter(
        name => !['outcomes', 'route_sums', 'profile_sums', 'event_index'].includes(name),
      )) {
        add(
          table,
          await telemetry.query({
            query: `SELECT project_id AS project, count() AS n FROM ${table} GROUP BY project LIMIT 1000`,
            schema: rowCounts,
          }),
        )
      }
      const lost =
        "SELECT project_id AS project, sum(quantity) AS n FROM outcomes WHERE outcome = 'client_discard' GROUP BY project LIMIT 1000"
      add('client_discard', await telemetry.query({ query: lost, schema: rowCounts }))
      return stored
    }

    test('every recorded request is accepted, and its items are digested and counted by type', async () => {
      const captures = scenarios.flatMap(listCaptures)
      const responses = await replay(captures)
      expect(responses.filter(({ status }) => status !== 200)).toEqual([])
      await hydrant.drained()
      const sent = new Map<string, number>()
      for (const item of captures.flatMap(capture => readEnvelope(readCapture(capture).body).items)) {
        sent.set(item.headers.type, (sent.get(item.headers.type) ?? 0) + 1)
      }
      const metrics = await hydrant.metrics()
      const digested = [...metrics].flatMap(([name, value]): [string, number][] => {
        const type = /^hydrant_digest_items_total\{type="(\w+)"\}$/.exec(name)?.[1]
        const count = value - (before.get(name) ?? 0)
        return type === undefined || count === 0 ? [] : [[type, count]]
      })
      expect(Object.fromEntries(digested)).toEqual(Object.fromEntries(sent))
      const acknowledged = 'hydrant_ingest_acknowledged_total'
      expect((metrics.get(acknowledged) ?? 0) - (before.get(acknowledged) ?? 0)).toBe(captures.length)
    })

    test('every scenario has the expected rows in every table', async () => {
      // One of the recorded errors is a ResizeObserver loop, which is filtered by default.
      const { 'next-client-errors': noisy, ...others } = expectedRows
      expect(await countStored()).toEqual({ ...others, 'next-client-errors': { ...noisy, events: 5 } })
      const refused = await telemetry.query({
        // Without the empty reports that asked for the keys.
        query: `SELECT category, outcome, reason FROM outcomes
          WHERE ${isOwn} AND outcome != 'client_discard' AND NOT (category = 'internal' AND reason = 'empty') LIMIT 100`,
        schema: z.unknown(),
      })
      expect(refused).toEqual([{ category: 'error', outcome: 'filtered', reason: 'resize-observer' }])
    })

    test.each([
      [
        'events',
        'node-error',
        {
          title: 'Error: Uncaught-like error for order 12345',
          platform: 'node',
          environment: 'capture',
          trace_id: '86703bfc-f97e-4247-a5b7-3304605832ce',
        },
      ],
      ['events', 'node-unhandled', { level: 'fatal', is_handled: false, mechanism: 'auto.node.onuncaughtexception' }],
      [
        'events',
        'cli-send-event',
        { event_id: 'dce09844-c95d-48e8-84be-7dbca2c470b0', kind: 'message', title: 'cli event x' },
      ],
      [
        'events',
        'next-hydration',
        { platform: 'javascript', route: '/hydration', browser_name: 'Chrome', is_handled: false },
      ],
      ['events', 'next-replay', { replay_id: '9b0bf414-7283-41df-8bac-5e8db3f37fda' }],
      [
        'spans',
        'next-route-handler',
        { name: 'POST /api/fail', method: 'POST', status_code: 500, status: 'error', op: 'http.server' },
      ],
      ['spans', 'node-static-tracing', { is_segment: true, platform: 'node', environment: 'capture' }],
      ['check_ins', 'node-checkin', { status: 'in_progress', environment: 'capture' }],
      ['attachments', 'node-attachment', { content_type: 'text/plain' }],
    ] as const)('a row of %s from %s has its key columns', async (table, scenario, columns) => {
      const names = Object.keys(columns)
      const rows = await telemetry.query({
        query: `SELECT ${names.join(', ')} FROM ${table} WHERE project_id = {project:UInt64} LIMIT 1000`,
        params: { project: projectOf(scenario) },
        schema: z.record(z.string(), z.unknown()),
      })
      expect(rows).toContainEqual(columns)
    })

    test('every event belongs to an issue, and the counts of the issues match the failures', async () => {
      const control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
      const hashes = await control.db
        .selectFrom('issue_hash')
        .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
        .select(['issue_hash.project_id', 'group_hash', 'event_count', 'title'])
        .where('issue_hash.project_id', 'in', scenarios.map(projectOf))
        .execute()
      await control.close()
      const stored = await telemetry.query({
        query: `SELECT project_id AS project, toString(group_hash) AS hash, sum(weight) AS n FROM events
          WHERE ${isOwn} GROUP BY ALL LIMIT 10000`,
        schema: rowCounts.extend({ hash: z.string() }),
      })
      const text = (project: number, hash: string, n: number) => `${project} ${hash} ${n}`
      expect(hashes.map(row => text(row.project_id, row.group_hash, row.event_count)).sort()).toEqual(
        stored.map(row => text(row.project, row.hash, row.n)).sort(),
      )
      expect(hashes.every(row => row.title.length > 0)).toBe(true)
    })
  })
}
