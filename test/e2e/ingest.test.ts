import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openControl } from '#store/control/open-control.ts'
import { encodeSent, idOf, joinEnvelope } from '../faults/envelopes.ts'
import { createShiftedClock, type ShiftedClock } from '../faults/shift-clock.ts'
import { openBrowser } from '../open-browser.ts'
import { residentBytes } from '../resident-bytes.ts'
import { sendRequest } from '../send-request.ts'
import { type Hydrant, type Provisioned, until } from '../start-hydrant.ts'
import { startIngest } from '../start-ingest.ts'
import { knowsKey, probeKey } from './knows-key.ts'
import { postEvent } from './post-event.ts'
import { pour } from './pour.ts'
import { queryTelemetry } from './query-telemetry.ts'
import { runProgram } from './run-program.ts'

const MiB = 1024 * 1024
const minuteMs = 60_000
let hydrant: Hydrant
let project: Provisioned
let clock: ShiftedClock
let lastNumber = 0
const nextId = () => idOf(4, ++lastNumber)
const keyOf = (dsn: string) => new URL(dsn).username
const ingest = (path: string, of = project) =>
  new URL(`/api/${of.project.id}/${path}?sentry_key=${keyOf(of.dsn)}`, hydrant.url)

beforeAll(async () => {
  clock = await createShiftedClock()
  ;({ hydrant, project } = await startIngest(nextId(), { ...clock.env, HYDRANT_SPIKE_PROTECTION: 'on' }))
})
afterAll(async () => {
  await hydrant?.stop()
  await clock?.remove()
})

async function changeKey(of: Provisioned, change: { events_per_minute?: number; is_active?: 0 | 1 }): Promise<void> {
  const control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
  await control.db.updateTable('project_key').set(change).where('public_key', '=', keyOf(of.dsn)).execute()
  await control.close()
}

/** Switched off and on again: once the key is accepted anew, its limit is known too. */
async function limitKey(of: Provisioned, events_per_minute: number): Promise<void> {
  await knowsKey(of.dsn)
  await changeKey(of, { is_active: 0 })
  await until(async () => (await probeKey(of.dsn)) === 403)
  await changeKey(of, { events_per_minute, is_active: 1 })
  await knowsKey(of.dsn)
}

/** Waits for the sum of an outcome. Outcomes are written every few seconds. */
async function outcomeReaches(projectId: number, reason: string, quantity: number): Promise<void> {
  const query = `SELECT sum(quantity) AS n FROM outcomes WHERE project_id = ${projectId} AND reason = '${reason}' LIMIT 1`
  await until(
    async () => (await queryTelemetry(hydrant.dataDir, query, z.object({ n: z.coerce.number() })))[0]?.n === quantity,
  ).catch(() => {
    throw new Error(`outcome ${reason} of project ${projectId} did not reach ${quantity}`)
  })
}

test('a real SDK respects rate limits and reports the events it discarded', async () => {
  const limited = await hydrant.init('--org', 'acme', '--project', 'limited')
  await limitKey(limited, 5)
  // Limits are per clock minute, so start at the beginning of one.
  await clock.set(minuteMs - (Date.now() % minuteMs))
  const { stdout } = await runProgram(join('test', 'e2e', 'limited-sdk.mjs'), [limited.dsn, '20'], {})
  expect(JSON.parse(stdout)).toEqual([...Array(5).fill(200), 429, ...Array(14).fill(null)])
  const refused = await sendRequest(
    ingest('envelope/', limited),
    {},
    encodeSent({ kind: 'event', id: nextId(), attachmentBytes: 0 }, Date.now()),
  )
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect(refused.headers['x-sentry-rate-limits']).toMatch(/^\d+:error:key:\w+$/)
  await outcomeReaches(limited.project.id, 'ratelimit_backoff', 14)
  const limitReason = /:(\w+)$/.exec(String(refused.headers['x-sentry-rate-limits']))?.[1] ?? ''
  await outcomeReaches(limited.project.id, limitReason, 2)
})

test('a key without a limit is limited above what it usually sends, and its first errors are kept', async () => {
  const calm = await hydrant.init('--org', 'acme', '--project', 'calm')
  await knowsKey(calm.dsn)
  await clock.set(2 * minuteMs - (Date.now() % minuteMs))
  const send = async () => {
    const body = encodeSent({ kind: 'event', id: nextId(), attachmentBytes: 0 }, Date.now())
    return (await sendRequest(ingest('envelope/', calm), {}, body)).status
  }
  const known = await send() // what asked whether the key is known has counted too
  expect(known).toBe(200)
  const statuses: number[] = []
  while (!statuses.includes(429) && statuses.length < 1_100)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, send))))
  expect(statuses.filter(status => status === 200).length).toBeGreaterThan(950)
  const { stdout } = await runProgram(join('test', 'e2e', 'limited-sdk.mjs'), [calm.dsn, '5'], {})
  expect(JSON.parse(stdout)).toEqual([429, null, null, null, null])
  await outcomeReaches(calm.project.id, 'spike_protection', statuses.filter(status => status === 429).length + 1)
  await clock.set(3 * minuteMs - (Date.now() % minuteMs))
  expect(await send()).toBe(200)
})

test('bodies that are too large are rejected while they stream, without using more memory', async () => {
  const chunk = Buffer.alloc(256 * 1024, 'x')
  const bomb = gzipSync(joinEnvelope({}, [[{ type: 'event' }, Buffer.alloc(64 * MiB, '0')]]))
  const event = '{}\n{"type":"event"}\n{"message":"'
  const round = async () => [
    await pour(ingest('envelope/'), { 'transfer-encoding': 'chunked' }, event, chunk, 120 * MiB),
    await pour(ingest('envelope/'), { 'content-length': String(300 * MiB) }, event, chunk, 120 * MiB),
    await pour(ingest('store/'), { 'transfer-encoding': 'chunked' }, '{"message":"', chunk, 120 * MiB),
    { ...(await sendRequest(ingest('envelope/'), { 'content-encoding': 'gzip' }, bomb)), sentBytes: bomb.length },
  ]
  await round()
  const before = await residentBytes(hydrant.pid)
  for (let times = 0; times < 10; times++) {
    for (const { status, sentBytes } of await round()) expect([status, sentBytes < 60 * MiB]).toEqual([413, true])
  }
  expect((await residentBytes(hydrant.pid)) - before).toBeLessThan(100 * MiB)
  await outcomeReaches(project.project.id, 'too_large', 44)
})

test('the tunnel accepts DSNs of this server and rejects those of another host', async () => {
  const id = nextId()
  const through = (dsn: string) =>
    sendRequest(
      new URL('/tunnel/', hydrant.url),
      { 'content-type': 'text/plain;charset=UTF-8' },
      joinEnvelope({ event_id: id, dsn }, [[{ type: 'event' }, Buffer.from('{"message":"through"}')]]),
    )
  expect((await through(project.dsn.replace(new URL(project.dsn).host, 'sentry.example.com'))).status).toBe(403)
  expect((await through(project.dsn)).status).toBe(200)
  // It belongs to no project, so it is counted for project 0.
  await outcomeReaches(0, 'foreign_dsn', 1)
})

test('a disabled key is rejected', async () => {
  const off = await hydrant.init('--org', 'acme', '--project', 'off')
  await until(async () => (await postEvent(off.dsn, nextId())) === 200)
  await changeKey(off, { is_active: 0 })
  await until(async () => (await postEvent(off.dsn, nextId())) === 403)
  await outcomeReaches(off.project.id, 'disabled_key', 1)
})

test('an event that is delivered twice is counted once', async () => {
  const twice = await hydrant.init('--org', 'acme', '--project', 'twice')
  const id = nextId()
  await until(async () => (await postEvent(twice.dsn, id)) === 200)
  expect(await postEvent(twice.dsn, id)).toBe(200)
  await hydrant.drained()
  expect(await postEvent(twice.dsn, id)).toBe(200)
  await hydrant.drained()
  const stored = await queryTelemetry(
    hydrant.dataDir,
    `SELECT count() AS n FROM events WHERE project_id = ${twice.project.id} LIMIT 1`,
    z.object({ n: z.coerce.number() }),
  )
  expect(stored).toEqual([{ n: 1 }])
  await outcomeReaches(twice.project.id, 'duplicate', 2)
})

test('a cron job checks in with one plain request', async () => {
  for (const status of ['in_progress', 'ok']) {
    const url = new URL(`/api/${project.project.id}/cron/nightly/${keyOf(project.dsn)}/?status=${status}`, hydrant.url)
    expect((await sendRequest(url, {}, '', 'GET')).status).toBe(202)
  }
  await hydrant.drained()
  const rows = await queryTelemetry(
    hydrant.dataDir,
    "SELECT status FROM check_ins WHERE monitor_slug = 'nightly' ORDER BY status LIMIT 10",
    z.object({ status: z.string() }),
  )
  expect(rows.map(row => row.status)).toEqual(['in_progress', 'ok'])
})

test('a page of another origin can send events and CSP reports from a real browser', async () => {
  const pages = await servePages()
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
    const id = nextId()
    const body = encodeSent({ kind: 'event', id, attachmentBytes: 0 }, Date.now()).toString()
    const response = await page.evaluate(
      async ([url, text, auth]) => {
        // A custom header forces a preflight request.
        const response = await fetch(url ?? '', {
          method: 'POST',
          body: text ?? '',
          headers: { 'X-Sentry-Auth': auth ?? '' },
        })
        return { status: response.status, id: ((await response.json()) as { id: string }).id }
      },
      [
        `${hydrant.url}/api/${project.project.id}/envelope/`,
        body,
        `Sentry sentry_version=7, sentry_key=${keyOf(project.dsn)}`,
      ],
    )
    expect(response).toEqual({ status: 200, id })
    const query = "SELECT title FROM events WHERE kind = 'csp' LIMIT 10"
    await until(async () =>
      (await queryTelemetry(hydrant.dataDir, query, z.object({ title: z.string() }))).some(row =>
        row.title.includes('img-src'),
      ),
    )
  } finally {
    await browser.close()
    pages.close()
  }
})

/** A page with an image that its policy blocks. */
async function servePages(): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('content-security-policy', `img-src 'none'; report-uri ${ingest('security/')}`)
    response.end('<!doctype html><title>Elsewhere</title><img src="/pixel.png" alt="">')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

test('reports of the Reporting API become events', async () => {
  const report = {
    type: 'csp-violation',
    age: 1,
    url: 'https://shop.example/',
    user_agent: 'Chrome',
    body: {
      documentURL: 'https://shop.example/',
      blockedURL: 'https://evil.example/x.js',
      effectiveDirective: 'script-src-elem',
      disposition: 'enforce',
    },
  }
  const { status } = await sendRequest(
    ingest('security/'),
    { 'content-type': 'application/reports+json' },
    JSON.stringify([report, report]),
  )
  expect(status).toBe(200)
  await hydrant.drained()
  const rows = await queryTelemetry(
    hydrant.dataDir,
    "SELECT title FROM events WHERE kind = 'csp' AND title LIKE '%evil.example%' LIMIT 10",
    z.object({ title: z.string() }),
  )
  expect(rows).toHaveLength(2)
})

test('the hydration helper is served even without the web process', async () => {
  for (const name of ['hydrant-hydration.js', 'hydrant-hydration.mjs']) {
    const response = await fetch(`${hydrant.url}/${name}`)
    expect(response.headers.get('content-type')).toContain('text/javascript')
    expect(await response.text()).toContain('hydrat')
  }
})
