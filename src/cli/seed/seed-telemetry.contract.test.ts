import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#config.ts'
import { reconcile } from '#jobs/reconcile/reconcile.ts'
import type { Control } from '#store/control/control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { type OpenedTelemetry, openMigratedControl, openTelemetryHere } from '../open-stores.ts'
import { slots } from './browsers.ts'
import { ensureShop } from './ensure-shop.ts'
import type { SeedOptions } from './parse-seed-options.ts'
import { planReleases } from './plan.ts'
import { type SeededTelemetry, type SeedTelemetryOptions, seedTelemetry } from './seed-telemetry.ts'
import { tracesSampleRate } from './templates.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-seed-'))
const options = {
  events: 300,
  issues: 60,
  spans: 1_200,
  logs: 200,
  days: 4,
  seed: 7,
  users: 40,
  organization: 'demo',
  project: 'shop',
}
let control: Control
let opened: OpenedTelemetry
let projectId = 0
/** Noon of yesterday: the seeded rows must not depend on the time of day at which the test runs. */
const nowMs = new Date().setUTCHours(12, 0, 0, 0) - 24 * 3_600_000
let seeded = { rows: 0, issues: 0, seconds: 0 }

beforeAll(async () => {
  const result = readConfig({ HYDRANT_DATA_DIR: dataDir })
  if (!result.ok) throw new Error(result.faults.join(' '))
  control = await openMigratedControl(result.config)
  opened = await openTelemetryHere(result.config)
  await migrateTelemetry(opened.telemetry, { kind: 'single' })
  const shop = await ensureShop({ db: control.db, actor: 'test', now: Date.now }, options)
  if (!shop.ok) throw new Error(shop.code)
  projectId = shop.projectId
  const { retentionDays } = result.config
  const seeding = seedTelemetry({
    control,
    telemetry: opened.telemetry,
    layout: { kind: 'single' },
    projectId,
    options,
    retentionDays,
    nowMs,
    signal: new AbortController().signal,
  })
  await Promise.race([seeding, reconcileForever(retentionDays.errors)])
  seeded = await seeding
})

/** As a running Hydrant does, only more often. */
async function reconcileForever(retentionDays: number): Promise<void> {
  const stores = { control, telemetry: opened.telemetry, layout: { kind: 'single' } as const }
  const log = { info() {}, warn() {} }
  const isStopping = () => seeded.rows > 0
  while (!isStopping()) {
    await reconcile({ ...stores, retentionDays, holder: 'test', log, isStopping }, Date.now)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

afterAll(async () => {
  await opened?.close()
  await control?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function queryNumber(query: string): Promise<number> {
  const [row] = await opened.telemetry.query({ query, schema: z.object({ value: z.coerce.number() }) })
  return row?.value ?? Number.NaN
}

const tables = ['events', 'event_index', 'spans', 'logs', 'route_sums']

const countAll = () => Promise.all(tables.map(table => queryNumber(`SELECT count() AS value FROM ${table}`)))

/** Into another project of the same stores. */
async function seedOther(
  project: string,
  given: SeedOptions,
  special: Partial<Pick<SeedTelemetryOptions, 'telemetry' | 'signal'>> = {},
): Promise<SeededTelemetry> {
  const shop = await ensureShop({ db: control.db, actor: 'test', now: Date.now }, { organization: null, project })
  if (!shop.ok) throw new Error(shop.code)
  return seedTelemetry({
    ...{ control, telemetry: opened.telemetry, layout: { kind: 'single' }, projectId: shop.projectId },
    ...{ options: given, retentionDays: { errors: 90, rest: 30 }, nowMs, signal: new AbortController().signal },
    ...special,
  })
}

describe('seeded telemetry', () => {
  it('has as many rows as requested', async () => {
    expect(await queryNumber('SELECT count() AS value FROM events')).toBe(options.events)
    expect(await queryNumber('SELECT count() AS value FROM logs')).toBe(options.logs)
    const spans = await queryNumber('SELECT count() AS value FROM spans')
    expect(Math.abs(spans - options.spans)).toBeLessThan(options.spans * 0.1)
    expect(seeded.rows).toBe(options.events + options.logs + spans)
  })

  it('has commits in each release, and deploys of all but the first', async () => {
    const releases = await control.db
      .selectFrom('release')
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .innerJoin('release_commit', 'release_commit.release_id', 'release.id')
      .select(({ fn }) => ['release.version', fn.countAll<number>().as('commits')])
      .where('release_project.project_id', '=', projectId)
      .groupBy('release.version')
      .execute()
    expect(releases.map(({ version, commits }) => [version, Number(commits)]).sort()).toEqual(
      planReleases(options.days, nowMs).map(({ name }) => [name, 3]),
    )
    const deploys = await control.db
      .selectFrom('deploy')
      .innerJoin('release', 'release.id', 'deploy.release_id')
      .select(['version', 'environment', 'finished_at'])
      .orderBy('finished_at')
      .execute()
    expect(deploys).toEqual(
      planReleases(options.days, nowMs)
        .slice(1)
        .map(({ name, deployedMs }) => ({ version: name, environment: 'production', finished_at: deployedMs })),
    )
  })

  it('has a prefetch for each navigation that fetched nothing', async () => {
    const count = (measure: string, detail = '') =>
      queryNumber(`SELECT sum(count) AS value FROM route_sums WHERE measure = '${measure}' AND detail = '${detail}'`)
    const [navigations, cold, prefetches] = [
      await count('navigation', 'push'),
      await count('cold', 'push'),
      await count('prefetch'),
    ]
    expect(cold).toBeGreaterThan(0)
    expect(prefetches).toBeCloseTo(navigations - cold)
  })

  it('has each error in the index once', async () => {
    expect(await queryNumber('SELECT count() AS value FROM event_index')).toBe(options.events)
    expect(
      await queryNumber('SELECT count() AS value FROM events WHERE event_id NOT IN (SELECT event_id FROM event_index)'),
    ).toBe(0)
  })

  it('has frequent and rare errors, up to the requested number of issues', () => {
    expect(seeded.issues).toBeGreaterThan(options.issues * 0.7)
    expect(seeded.issues).toBeLessThanOrEqual(options.issues)
  })

  it('counts each group in the issue that has its hash', async () => {
    const uncounted = await control.db
      .selectFrom('hash_day')
      .leftJoin('issue_hash', join =>
        join
          .onRef('issue_hash.project_id', '=', 'hash_day.project_id')
          .onRef('issue_hash.group_version', '=', 'hash_day.group_version')
          .onRef('issue_hash.group_hash', '=', 'hash_day.group_hash'),
      )
      .select('hash_day.group_hash')
      .where('issue_hash.issue_id', 'is', null)
      .execute()
    expect(uncounted).toEqual([])
  })

  it('has deploy skew only in tabs of the release before, in the hours after a deploy', async () => {
    const skew = "FROM events WHERE type = 'ChunkLoadError'"
    const releases = planReleases(options.days, nowMs)
    expect(await queryNumber(`SELECT uniqExact(group_hash) AS value ${skew}`)).toBe(releases.length - 1)
    for (const [index, { name }] of releases.slice(0, -1).entries()) {
      const own = `${skew} AND release = '${name}'`
      const deployed = releases[index + 1]?.deployedMs ?? 0
      expect([name, await queryNumber(`SELECT count() > 0 AS value ${own}`)]).toEqual([name, 1])
      const first = await queryNumber(`SELECT toUnixTimestamp64Milli(min(timestamp)) AS value ${own}`)
      const last = await queryNumber(`SELECT toUnixTimestamp64Milli(max(timestamp)) AS value ${own}`)
      expect(first).toBeGreaterThan(deployed - 60_000)
      expect(last).toBeLessThan(deployed + 9 * 3_600_000)
    }
    expect(await queryNumber(`SELECT countIf(release = '${releases.at(-1)?.name}') AS value ${skew}`)).toBe(0)
  })

  it('replaces every placeholder of a template', async () => {
    const texts = [
      slots.eventId,
      slots.traceId,
      slots.user,
      slots.item,
      slots.release,
      slots.environment,
      String(slots.second),
    ]
    const list = texts.map(text => `'${text}'`).join(', ')
    expect(
      await queryNumber(`SELECT countIf(multiSearchAny(concat(data, title, url), [${list}])) AS value FROM events`),
    ).toBe(0)
    expect(
      await queryNumber(
        `SELECT countIf(multiSearchAny(concat(toString(attributes), url), [${list}])) AS value FROM spans`,
      ),
    ).toBe(0)
    expect(
      await queryNumber(
        `SELECT countIf(multiSearchAny(concat(toString(attributes), body), [${list}])) AS value FROM logs`,
      ),
    ).toBe(0)
  })

  it('links every error to a seeded trace, and every span to its parent', async () => {
    expect(
      await queryNumber('SELECT count() AS value FROM events WHERE trace_id NOT IN (SELECT trace_id FROM spans)'),
    ).toBe(0)
    expect(
      await queryNumber(
        'SELECT count() AS value FROM spans WHERE parent_span_id != 0 AND (trace_id, parent_span_id) NOT IN (SELECT trace_id, span_id FROM spans)',
      ),
    ).toBe(0)
  })

  it('has the same route sums as digest would write', async () => {
    const sumOf = (measure: string, column: string) =>
      queryNumber(`SELECT sum(${column}) AS value FROM route_sums WHERE measure = '${measure}'`)
    /** Each span stands for those that the SDK has not sent. */
    const spansOf = async (condition: string) =>
      (await queryNumber(`SELECT countIf(${condition}) AS value FROM spans`)) / tracesSampleRate
    const request = "op = 'http.server' AND NOT is_prefetch"
    expect(await sumOf('page_load', 'count')).toBeCloseTo(await spansOf("op = 'pageload'"), 3)
    expect(await sumOf('request', 'count')).toBeCloseTo(await spansOf(request), 3)
    expect(await sumOf('request', 'failed')).toBeCloseTo(await spansOf(`${request} AND status_code >= 500`), 3)
    expect(await sumOf('error', 'count')).toBe(
      await queryNumber("SELECT countIf(level = 'error' AND route != '') AS value FROM events"),
    )
    const lcp = "numbers['browser.web_vital.lcp.value']"
    const total = (await queryNumber(`SELECT sum(${lcp}) AS value FROM spans`)) / tracesSampleRate
    expect((await sumOf('lcp', 'total')) / total).toBeCloseTo(1, 4)
    const binned = await queryNumber("SELECT sum(arraySum(bin_counts)) AS value FROM route_sums WHERE measure = 'lcp'")
    expect(binned).toBeCloseTo(await sumOf('lcp', 'count'), 3)
  })

  it('has issue counters that match the events', async () => {
    const hashes = await control.db.selectFrom('issue_hash').selectAll().where('project_id', '=', projectId).execute()
    expect(hashes.length).toBe(seeded.issues)
    expect(hashes.reduce((sum, hash) => sum + hash.event_count, 0)).toBe(options.events)
    expect(Math.max(...hashes.map(hash => hash.user_count))).toBe(
      await queryNumber(
        'SELECT max(users) AS value FROM (SELECT uniqExact(user_hash) AS users FROM events GROUP BY group_hash)',
      ),
    )
  })

  it('has the issue states that digest would write', async () => {
    const issues = await control.db.selectFrom('issue').selectAll().where('project_id', '=', projectId).execute()
    const usual = issues.filter(({ substatus }) => !['escalating', 'regressed'].includes(substatus))
    expect(usual.every(issue => issue.substatus === 'new' && issue.substatus_at === issue.created_at)).toBe(true)
    const crashes = 'SELECT uniqExact(group_hash) AS value FROM events WHERE NOT is_handled'
    expect(issues.filter(issue => issue.is_unhandled === 1).length).toBe(await queryNumber(crashes))
    const hours = await control.db.selectFrom('hash_hour').select('event_count').execute()
    expect(hours.reduce((sum, hour) => sum + hour.event_count, 0)).toBe(options.events)
    const days = await control.db.selectFrom('hash_day').select('event_count').execute()
    expect(days.reduce((sum, day) => sum + day.event_count, 0)).toBe(options.events)
    const releases = await control.db.selectFrom('project_release').select('version').execute()
    expect(releases.length).toBe(
      await queryNumber("SELECT uniqExact(release) AS value FROM events WHERE release != ''"),
    )
  })

  it('has issues that came back after they were resolved, and one that escalated', async () => {
    const issues = await control.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select(['issue.id', 'title', 'substatus', 'substatus_at', 'times_usual', 'group_hash'])
      .where('issue.project_id', '=', projectId)
      .execute()
    const activity = await control.db.selectFrom('issue_activity').selectAll().orderBy('at').execute()
    const regressed = issues.filter(({ substatus }) => substatus === 'regressed')
    expect(regressed.length).toBeGreaterThan(0)
    expect(regressed.length).toBeLessThan(issues.length / 4)
    for (const { id, group_hash, substatus_at } of regressed) {
      const [resolved, came] = activity.filter(entry => entry.issue_id === id && entry.kind !== 'assigned')
      expect([resolved?.kind, came?.kind, came?.at]).toEqual(['resolved', 'regressed', substatus_at])
      const between = `timestamp > fromUnixTimestamp64Milli(${resolved?.at}) AND timestamp < fromUnixTimestamp64Milli(${came?.at})`
      const own = `FROM events WHERE toString(group_hash) = '${group_hash}' AND`
      expect(await queryNumber(`SELECT count() AS value ${own} ${between}`)).toBe(0)
      const before = `timestamp < fromUnixTimestamp64Milli(${resolved?.at})`
      expect(await queryNumber(`SELECT count() > 0 AS value ${own} ${before}`)).toBe(1)
    }
    const escalating = issues.filter(({ substatus }) => substatus === 'escalating')
    expect(escalating.map(({ title }) => title)).toEqual(['Error: timeout exceeded when trying to connect'])
    expect(escalating[0]?.times_usual).toBeGreaterThan(2)
    expect(activity.filter(({ kind }) => kind === 'escalating').map(entry => entry.issue_id)).toEqual([
      escalating[0]?.id,
    ])
  })

  it('has resolved and archived issues, which have no later events', async () => {
    const issues = await control.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select(['issue.id', 'status', 'status_at', 'substatus', 'last_seen', 'first_seen'])
      .where('issue.project_id', '=', projectId)
      .execute()
    const closed = issues.filter(({ status }) => status !== 'unresolved')
    expect(new Set(closed.map(({ status }) => status))).toEqual(new Set(['resolved', 'archived']))
    expect(closed.length).toBeLessThan(issues.length / 4)
    for (const { id, status, status_at, first_seen, last_seen } of closed) {
      expect(status_at).toBeGreaterThan(last_seen)
      expect(first_seen).toBeLessThan(status_at)
      const activity = await control.db.selectFrom('issue_activity').select('kind').where('issue_id', '=', id).execute()
      expect(activity.map(({ kind }) => kind)).toEqual([status])
    }
  })

  it('is no news to rules', async () => {
    const changes = await control.db.selectFrom('issue_change').select('kind').distinct().execute()
    expect(changes.length).toBeGreaterThan(0)
    expect(changes.filter(({ kind }) => ['new', 'regressed', 'escalating', 'resolved'].includes(kind))).toEqual([])
  })

  it('has no more issues than requested, and every event', async () => {
    const few = await seedOther('few', { ...options, events: 50, issues: 5, spans: 0, logs: 0 })
    expect(few.issues).toBeGreaterThan(1)
    expect(few.issues).toBeLessThanOrEqual(5)
    expect(few.rows).toBe(50)
  })

  it('leaves nothing behind if it is interrupted', async () => {
    const before = await countAll()
    const interrupted = new Error('interrupted')
    let statements = 0
    const command: Telemetry['command'] = async (...given) => {
      await opened.telemetry.command(...given)
      if (given[0].includes('INSERT INTO events') && statements++ === 0) stop.abort(interrupted)
    }
    const stop = new AbortController()
    const seeding = seedOther('gone', options, { telemetry: { ...opened.telemetry, command }, signal: stop.signal })
    await expect(seeding).rejects.toBe(interrupted)
    expect(statements).toBe(1)
    expect(await countAll()).toEqual(before)
  })
})
