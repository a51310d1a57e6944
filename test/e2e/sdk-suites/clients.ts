import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openControl } from '#store/control/open-control.ts'
import { copyShop } from '../../clients/copy-shop.ts'
import { driveShop, type ShopTelemetry, shopItemTypes } from '../../clients/drive-shop.ts'
import { prepareShop } from '../../clients/prepare-shop.ts'
import { type NodeSdkSent, runNodeSdk } from '../../clients/run-node-sdk.ts'
import { longTest } from '../../long.ts'
import { openBrowser } from '../../open-browser.ts'
import type { Hydrant, Provisioned } from '../../start-hydrant.ts'
import { knowsKey } from '../knows-key.ts'
import { queryTelemetry } from '../query-telemetry.ts'

export function testClients(running: () => Hydrant): void {
  describe('SDKs and the example shop', () => {
    let hydrant: Hydrant
    const programs = new Map<10 | 11, { sent: NodeSdkSent; project: Provisioned }>()

    beforeAll(async () => {
      hydrant = running()
      const owner = ['--org', 'acme', '--email', 'owner@acme.dev', '--password', 'correct horse battery']
      for (const version of [11, 10] as const) {
        const project = await hydrant.init(...owner, '--project', `node-${version}`)
        await knowsKey(project.dsn)
        programs.set(version, { project, sent: await runNodeSdk({ version, dsn: project.dsn }) })
      }
      await hydrant.drained()
    })

    const textRow = z.object({ text: z.string() })

    /** One column, as sorted texts. */
    async function column(expression: string, table: string, projectId: number, where = '1'): Promise<string[]> {
      const query = `SELECT toString(${expression}) AS text FROM ${table} WHERE project_id = ${projectId} AND ${where} LIMIT 100000`
      return (await queryTelemetry(hydrant.dataDir, query, textRow)).map(row => row.text).sort()
    }

    const hexId = (name: string) => `replaceAll(toString(${name}), '-', '')`

    function programOf(version: 10 | 11): { sent: NodeSdkSent; project: Provisioned } {
      const program = programs.get(version)
      if (!program) throw new Error(`SDK ${version} has not run`)
      return program
    }

    test('every item that the programs sent is digested', async () => {
      const sum: Record<string, number> = {}
      for (const { sent } of programs.values())
        for (const [type, count] of Object.entries(sent.items)) sum[type] = (sum[type] ?? 0) + count
      // The empty reports that asked for the keys.
      sum.client_report = (sum.client_report ?? 0) + programs.size
      const metrics = await hydrant.metrics()
      const digested = Object.fromEntries(
        Object.keys(sum).map(type => [type, metrics.get(`hydrant_digest_items_total{type="${type}"}`)]),
      )
      expect(digested).toEqual(sum)
    })

    test.each([11, 10] as const)('everything that @sentry/node %i sent is stored once', async version => {
      const { sent, project } = programOf(version)
      const id = project.project.id
      expect(sent.events.length).toBeGreaterThan(4)
      // What users write is an event too.
      const ids = [...sent.events, ...sent.feedback].map(event => event.id)
      expect(await column(hexId('event_id'), 'events', id)).toEqual(ids.sort())
      expect(await column("leftPad(lower(hex(span_id)), 16, '0')", 'spans', id)).toEqual(
        sent.spans.map(span => span.id).sort(),
      )
      expect(await column('name', 'spans', id, 'is_segment')).toEqual(
        sent.spans.flatMap(span => (span.isSegment ? [span.name] : [])).sort(),
      )
      expect(await column('body', 'logs', id)).toEqual([...sent.logs].sort())
      expect(await column('name', 'metrics', id)).toEqual([...sent.metrics].sort())
      expect(await column(`concat(${hexId('check_in_id')}, ' ', monitor_slug, ' ', status)`, 'check_ins', id)).toEqual(
        sent.checkIns.map(one => `${one.id} ${one.slug} ${one.status}`).sort(),
      )
      expect(await column(`concat(${hexId('feedback_id')}, ' ', message)`, 'feedback', id)).toEqual(
        sent.feedback.map(one => `${one.id} ${one.message}`).sort(),
      )
      expect(await column('filename', 'attachments', id)).toEqual([...sent.attachments].sort())
      const sessions = await column(
        `concat(${hexId('session_id')}, ' ', status)`,
        'sessions',
        id,
        `${hexId('session_id')} != repeat('0', 32)`,
      )
      expect(sessions).toEqual(sent.sessions.map(one => `${one.id.replaceAll('-', '')} ${one.status}`).sort())
    })

    test.each([11, 10] as const)(
      'the errors of @sentry/node %i are issues, its monitors exist, its attachment can be read',
      async version => {
        const { sent, project } = programOf(version)
        const control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
        const hashes = await control.db
          .selectFrom('issue_hash')
          .innerJoin('issue', 'issue.id', 'issue_id')
          .select(['event_count', 'title'])
          .where('issue.project_id', '=', project.project.id)
          .execute()
        const monitors = await control.db
          .selectFrom('monitor')
          .innerJoin('monitor_environment', 'monitor_environment.monitor_id', 'monitor.id')
          .select(['slug', 'last_status', 'config'])
          .where('project_id', '=', project.project.id)
          .orderBy('slug')
          .execute()
        await control.close()
        expect(hashes.reduce((sum, row) => sum + row.event_count, 0)).toBe(sent.events.length + sent.feedback.length)
        for (const { title } of sent.events) expect(hashes.some(row => row.title.includes(title))).toBe(true)
        expect(monitors.map(row => [row.slug, row.last_status])).toEqual([
          ['nightly-import', 'ok'],
          ['price-sync', 'error'],
        ])
        expect(JSON.parse(monitors[0]?.config ?? '')).toMatchObject({
          schedule: { type: 'crontab', value: '0 3 * * *' },
        })
        const [key = ''] = await column('blob', 'attachments', project.project.id)
        const stream = await openBlobs({ dataDir: hydrant.dataDir, blobsUrl: undefined }).read(key)
        expect(stream && (await buffer(stream)).toString()).toBe('id,price\n7,\n')
      },
    )

    /** Compares the common fields: SDK 11 does not send the host name, and names a request without a route by its method. */
    test('a transaction of SDK 10 and the spans of SDK 11 fill the same columns', async () => {
      const columns = [
        'duration_us',
        'trace_id',
        'span_id',
        'segment_id',
        'is_segment',
        'segment_name',
        'segment_source',
        'name',
        'op',
        'origin',
        'status',
        'platform',
        'environment',
        'release',
        'method',
        'status_code',
        'url',
        'user_id',
        'sdk_name',
        'sdk_version',
      ]
      const filled = columns
        .map(
          name => `if(toString(${name}) IN ('', '0', 'false', '00000000-0000-0000-0000-000000000000'), '', '${name} ')`,
        )
        .join(', ')
      const shapes = (id: number) =>
        column(`concat(op, ': ', ${filled})`, 'spans', id, "op IN ('task', 'http.server', 'db.query')")
      expect(await shapes(programOf(10).project.project.id)).toEqual(await shapes(programOf(11).project.project.id))
    })

    longTest('everything that the example shop and its visitors in Chromium sent is stored', async () => {
      const project = await hydrant.init('--org', 'acme', '--project', 'shop')
      const id = project.project.id
      const shop = copyShop(await prepareShop())
      const browser = await openBrowser()
      try {
        const missingOf = (wanted: Partial<ShopTelemetry>) => missingIn(id, wanted)
        await driveShop({ hydrantUrl: hydrant.url, dsn: project.dsn, shopDir: shop.shopDir, browser, missingOf })
      } finally {
        await browser.close()
        shop.remove()
      }
      await hydrant.drained()
      const ids = await column('event_id', 'events', id)
      expect(new Set(ids).size).toBe(ids.length)
      const metrics = await hydrant.metrics()
      expect(shopItemTypes.filter(type => !metrics.get(`hydrant_digest_items_total{type="${type}"}`))).toEqual([])
      const recordings = await column('recording_blob', 'replays', id, "recording_blob != ''")
      const profiles = await column('blob', 'profiles', id)
      const blobs = openBlobs({ dataDir: hydrant.dataDir, blobsUrl: undefined })
      expect([recordings.length > 0, profiles.length > 0]).toEqual([true, true])
      for (const key of [...recordings, ...profiles]) expect(await blobs.size(key)).toBeGreaterThan(0)
      const refused = await column("concat(category, ' ', reason)", 'outcomes', id, "outcome = 'invalid'")
      expect(refused).toEqual([])
    })

    /** Where each kind is stored. An error is found anywhere in its event, other texts as a part of the column, and names as a whole. */
    const columns: Record<keyof ShopTelemetry, [expression: string, table: string, where?: string, isPart?: boolean]> =
      {
        errors: ['data', 'events', '1', true],
        segments: ['name', 'spans', 'is_segment'],
        spans: ['name', 'spans'],
        logs: ['body', 'logs', '1', true],
        metrics: ['name', 'metrics'],
        monitors: ['monitor_slug', 'check_ins'],
        feedback: ['message', 'feedback', '1', true],
        attachments: ['filename', 'attachments'],
      }

    async function missingIn(projectId: number, wanted: Partial<ShopTelemetry>): Promise<string[]> {
      const missing: string[] = []
      for (const [kind, names] of Object.entries(wanted) as [keyof ShopTelemetry, string[]][]) {
        const [expression, table, where, isPart] = columns[kind]
        const found = await column(expression, table, projectId, where)
        const isFound = (name: string) => (isPart ? found.some(text => text.includes(name)) : found.includes(name))
        missing.push(...names.filter(name => !isFound(name)))
      }
      return missing
    }
  })
}
