import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assembleBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { createProfileRollup, type ProfileRollup } from '#digest/profiles/roll-up-profiles.ts'
import { regroupLateEvents } from '#digest/symbolicate/regroup-late.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { readStacks } from '#domain/events/stacks/read-stacks.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { findMembership } from '#domain/members/find-membership.ts'
import { listVisibleProjects } from '#domain/projects/unscoped-projects.ts'
import { listRouteFunctions } from '#domain/routes/list-route-functions.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { createIds } from '../create-ids.ts'
import { makeError } from '../make-event.ts'
import { makeRecord, type TestItem, testContext } from '../make-record.ts'
import { readBuiltCart } from '../read-built-cart.ts'
import { viewAs } from '../view-as.ts'
import { type Build, cartFile, type MapWorld, makeMapWorld, nextSeal } from './map-world.ts'
import { onEachEngine } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const nextId = createIds('maps')
const idOf = (digit: string): string => `${digit.repeat(8)}-1111-4222-8333-${digit.repeat(12)}`

let store: TelemetryUnderTest
let telemetry: Telemetry
beforeAll(async () => {
  store = await borrowTelemetry()
  ;({ telemetry } = store)
})
afterAll(() => store?.stop())

onEachEngine(({ newAcme }) => {
  let world: World
  let maps: MapWorld
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    maps = await makeMapWorld(world, telemetry)
  })
  afterEach(() => maps.close())

  /** The places of an event's stack as it was stored, nearest to the throw first. */
  const placesOf = (data: string | undefined): string[] => {
    const [error] = JSON.parse(data ?? '{}').exception.values
    return error.stacktrace.frames
      .map((frame: Record<string, unknown>) => `${frame.function} ${frame.filename}:${frame.lineno}`)
      .reverse()
  }
  const sendStored = async (build: Build): Promise<string[]> => placesOf((await maps.send(build)).rows.events[0]?.data)
  const issueOf = async (hash: string | undefined): Promise<number | undefined> =>
    (
      await world.control.db
        .selectFrom('issue_hash')
        .select('issue_id')
        .where('project_id', '=', world.web)
        .where('group_hash', '=', hash ?? '')
        .executeTakeFirst()
    )?.issue_id
  const issues = async (): Promise<Record<number, number>> => {
    const rows = await world.control.db
      .selectFrom('issue_hash')
      .select(({ fn }) => ['issue_id', fn.sum<number>('event_count').as('events')])
      .groupBy('issue_id')
      .execute()
    return Object.fromEntries(rows.map(row => [row.issue_id, Number(row.events)]))
  }

  describe('an event whose maps were uploaded', () => {
    test('is kept with the lines that were written, and with what was sent', async () => {
      const build: Build = { bundler: 'vite', debugId: idOf('a') }
      const bundleId = await maps.upload(build)
      const batch = await maps.send(build)
      const data = batch.rows.events[0]?.data
      expect(placesOf(data).slice(0, 2)).toEqual(['priceOf src/price.js:3', 'total src/cart.js:12'])
      const [error] = JSON.parse(data ?? '').exception.values
      expect(error.raw_stacktrace.frames.at(-1)).toMatchObject({ function: 't', lineno: 1 })
      const used = await world.control.db.selectFrom('artifact_bundle').selectAll().where('id', '=', bundleId).execute()
      expect(used[0]?.last_used_at).toBe(world.clock.now)
      expect(batch.unmapped).toEqual([])
    })

    test('is one issue, whichever bundler built it', async () => {
      await maps.upload({ bundler: 'vite', debugId: idOf('a') })
      await maps.upload({ bundler: 'webpack', debugId: idOf('b') })
      await maps.send({ bundler: 'vite', debugId: idOf('a') })
      await maps.send({ bundler: 'webpack', debugId: idOf('b') })
      expect(Object.values(await issues())).toEqual([2])
    })

    test('is found by release, distribution and address where it has no ids', async () => {
      await maps.upload({ bundler: 'vite', release: 'shop@1', dist: 'web' })
      expect((await sendStored({ bundler: 'vite', release: 'shop@1', dist: 'web' }))[0]).toBe('priceOf src/price.js:3')
      expect((await sendStored({ bundler: 'vite', release: 'shop@1' }))[0]).toContain('cart.min.js')
      expect((await sendStored({ bundler: 'vite', release: 'shop@2', dist: 'web' }))[0]).toContain('cart.min.js')
    })

    test('is not read with maps of another project’s release, nor of another build', async () => {
      await maps.upload({ bundler: 'vite', release: 'shop@1' }, [world.other])
      await maps.upload({ bundler: 'webpack', release: 'shop@1', debugId: idOf('b') })
      expect((await sendStored({ bundler: 'vite', release: 'shop@1', debugId: idOf('c') }))[0]).toContain('cart.min.js')
    })
  })

  test('a batch that is repeated after a crash finds what it found the first time, whatever was uploaded since', async () => {
    const build: Build = { bundler: 'vite', debugId: idOf('a') }
    const seal = nextSeal()
    const first = await maps.prepare(build, seal, 'e'.repeat(32))
    await maps.upload(build)
    await maps.restart()
    const again = await maps.prepare(build, seal, 'e'.repeat(32))
    expect(again.rows.events).toEqual(first.rows.events)
    const later = await maps.prepare(build, nextSeal(), 'e'.repeat(32))
    expect(later.rows.events[0]?.group_hash).not.toBe(first.rows.events[0]?.group_hash)
  })

  describe('when maps come late', () => {
    const build: Build = { bundler: 'vite', debugId: idOf('a'), release: 'shop@1' }
    const join = async () => {
      const round = await regroupLateEvents(
        { control: world.control, telemetry, symbolicator: maps.symbolicator },
        { bundleId: 0, seenAt: 0 },
        world.clock.now,
      )
      return round.merged
    }

    test('what is counted next belongs to the issue that was there', async () => {
      const early = await maps.send(build)
      expect(early.unmapped).toMatchObject([{ debugId: idOf('a') }])
      expect(await join()).toBe(0)
      await maps.upload(build)
      expect(await join()).toBe(1)
      expect(await join()).toBe(0)
      const late = await maps.send(build)
      const hashes = [early, late].map(batch => batch.rows.events[0]?.group_hash)
      expect(hashes[0]).not.toBe(hashes[1])
      expect(await issueOf(hashes[0])).toBe(await issueOf(hashes[1]))
      expect(Object.values(await issues())).toEqual([2])
    })

    test('a hash joins the older issue that it belongs to', async () => {
      await maps.upload({ bundler: 'webpack', debugId: idOf('b') })
      const older = await maps.send({ bundler: 'webpack', debugId: idOf('b') })
      const early = await maps.send(build)
      await maps.upload(build)
      expect(await join()).toBe(1)
      expect(await issueOf(early.rows.events[0]?.group_hash)).toBe(await issueOf(older.rows.events[0]?.group_hash))
      expect(Object.values(await issues())).toEqual([2])
    })

    test('a younger issue with nothing else in it joins the older one', async () => {
      const early = await maps.send(build)
      await maps.upload(build)
      await maps.send(build)
      expect(Object.keys(await issues())).toHaveLength(2)
      expect(await join()).toBe(1)
      expect(Object.entries(await issues())).toEqual([[String(await issueOf(early.rows.events[0]?.group_hash)), 2]])
    })

    test('what a person has put together stays', async () => {
      const early = await maps.send(build)
      const target = await world.addIssue({ number: 50 })
      const from = (await issueOf(early.rows.events[0]?.group_hash)) ?? 0
      await mergeIssues(world.context, { projectId: world.web, targetIssueId: target, issueIds: [from] })
      await maps.upload({ bundler: 'webpack', debugId: idOf('b') })
      await maps.send({ bundler: 'webpack', debugId: idOf('b') })
      const before = await issueOf(early.rows.events[0]?.group_hash)
      await maps.upload(build)
      await join()
      expect(await issueOf(early.rows.events[0]?.group_hash)).toBe(before)
    })

    test('a map that does not help is tried once', async () => {
      await maps.send({ ...build, debugId: idOf('a') })
      await maps.upload({ bundler: 'vite', release: 'shop@1', debugId: idOf('d') })
      expect(await join()).toBe(0)
      const waiting = await world.control.db.selectFrom('unmapped_hash').selectAll().execute()
      expect(waiting).toHaveLength(1)
    })
  })

  describe('the functions of a route, by its profiles', () => {
    const open = () =>
      createProfileRollup({
        ...{ control: world.control, telemetry, blobs: maps.blobs, symbolicator: maps.symbolicator },
        log: pino({ level: 'silent' }),
      })
    const inboxId = nextId()
    /** A visit of 100 ms in which the built cart ran all the time, as a span and as a chunk. */
    function visit(build: Build, route: string) {
      const [at, id] = [world.clock.now / 1_000 - 10, nextId()]
      const text = (value: string) => ({ value, type: 'string' })
      const span = {
        ...{ name: `GET ${route}`, span_id: id.slice(0, 16), trace_id: id, is_segment: true, status: 'ok' },
        ...{ start_timestamp: at, end_timestamp: at + 0.1 },
        attributes: {
          'sentry.op': text('http.server'),
          'sentry.segment.name': text(`GET ${route}`),
          'sentry.profiler_id': text(id),
        },
      }
      const { frames } = readBuiltCart(build.bundler, cartFile)
      const chunk = {
        ...{ version: '2', chunk_id: nextId(), profiler_id: id, platform: 'node', release: build.release },
        debug_meta: { images: [{ type: 'sourcemap', code_file: cartFile, debug_id: build.debugId }] },
        profile: {
          frames: frames.map(({ filename, ...frame }) => ({ ...frame, abs_path: filename })),
          stacks: [frames.map((_, index) => frames.length - 1 - index)],
          samples: Array.from({ length: 11 }, (_, n) => ({ stack_id: 0, thread_id: '0', timestamp: at + n / 100 })),
          thread_metadata: {},
        },
      }
      return [
        {
          type: 'span',
          headers: { item_count: 1, content_type: spanContainer },
          payload: { version: 2, items: [span] },
        },
        { type: 'profile_chunk', headers: { platform: 'node' }, payload: chunk },
      ] as const
    }
    const spanContainer = 'application/vnd.sentry.items.span.v2+json'
    /** What comes together in a batch, as digest sums and writes it. */
    async function digest(
      sumProfiles: ProfileRollup,
      items: readonly TestItem[],
      { piecesOfKilled = 0 } = {},
    ): Promise<void> {
      const seal = nextSeal()
      const record = makeRecord([...items], {}, { projectId: world.web, receivedAt: world.clock.now })
      const records = [{ processed: processRecord(record, testContext), spool: null, receivedAt: world.clock.now }]
      const given = { seal, inboxId, mayHaveArrived: false, records, isRepeated: () => false }
      const batch = assembleBatch(given)
      for (const { key, source } of batch.blobs) await maps.blobs.put(key, source)
      const write = async (table: 'spans' | 'profiles' | 'profile_sums', rows: readonly object[], batchId: string) => {
        const given = { table, rows, batchId, mayHaveArrived: false, isSuspect: false }
        expect(await writeBatch(telemetry, given as never)).toEqual({ kind: 'done', refused: [] })
      }
      // An attempt that was killed before its sums: as a whole, or as pieces of it.
      const stored = piecesOfKilled === 1 ? [''] : Array.from({ length: piecesOfKilled }, (_, piece) => `/${piece}`)
      for (const [piece, name] of stored.entries())
        for (const table of ['spans', 'profiles'] as const)
          await write(
            table,
            batch.rows[table].filter((_, index) => index % stored.length === piece),
            `${batch.batchId}${name}`,
          )
      const profile_sums = await sumProfiles(batch, attempt => attempt())
      const rows = { ...batch.rows, profile_sums }
      for (const table of ['spans', 'profiles', 'profile_sums'] as const)
        if (table === 'profile_sums' || stored.length === 0) await write(table, rows[table], batch.batchId)
    }
    async function list(route: string) {
      const viewer = viewAs({ control: world.control, telemetry }, { projects: [world.web], now: world.clock.now })
      return listRouteFunctions(viewer, maps.symbolicator, { rangeMs: 3_600_000 }, route)
    }
    const names = async (route: string) =>
      (await list(route))?.functions.map(({ name, file, line }) => `${name} ${file}:${line}`)
    const route = () => `/cart/${nextId()}`

    test('are named by maps that are there or come later', async () => {
      const build: Build = { bundler: 'vite', debugId: idOf('e') }
      const [early, late] = [route(), route()]
      await digest(open(), visit(build, early))
      expect(await list(early)).toMatchObject({ isMinified: true, spans: 1 })
      expect((await names(early))?.[0]).toContain('cart.min.js')
      await maps.upload(build)
      await digest(open(), visit(build, late))
      for (const each of [early, late]) {
        expect(await names(each)).toEqual(['priceOf src/price.js:3'])
        expect((await list(each))?.isMinified).toBe(false)
      }
    })

    test('are counted once, whichever of span and chunk comes first', async () => {
      const build: Build = { bundler: 'vite', debugId: idOf('f') }
      const [together, spanFirst, chunkFirst] = [route(), route(), route()]
      const sumProfiles = open()
      await digest(sumProfiles, visit(build, together))
      const [span, chunk] = visit(build, spanFirst)
      const [laterSpan, earlierChunk] = visit(build, chunkFirst)
      for (const item of [span, chunk, earlierChunk, laterSpan]) await digest(sumProfiles, [item])
      for (const each of [together, spanFirst, chunkFirst]) {
        const found = await list(each)
        expect(found?.spans).toBe(1)
        expect(found?.totalMs).toBeCloseTo(100, 0)
        expect(found?.functions[0]?.example.traceId).toMatch(/^[0-9a-f]{32}$/)
      }
      expect(await list(route())).toBeNull()
    })

    test('are counted once, also if Hydrant restarts between span and chunk', async () => {
      const build: Build = { bundler: 'vite', debugId: idOf('0') }
      const [spanFirst, chunkFirst] = [route(), route()]
      const [span, chunk] = visit(build, spanFirst)
      const [laterSpan, earlierChunk] = visit(build, chunkFirst)
      for (const item of [span, chunk, earlierChunk, laterSpan]) await digest(open(), [item])
      await digest(open(), visit(build, route()))
      for (const each of [spanFirst, chunkFirst]) {
        const found = await list(each)
        expect(found?.spans).toBe(1)
        expect(found?.totalMs).toBeCloseTo(100, 0)
      }
    })

    test.each([1, 2, 3])(
      'are counted once if digest was killed after it had stored the batch in %i pieces',
      async pieces => {
        const build: Build = { bundler: 'vite', debugId: idOf('1') }
        const visits = Array.from({ length: 3 }, route)
        await digest(
          open(),
          visits.flatMap(each => visit(build, each)),
          { piecesOfKilled: pieces },
        )
        for (const each of visits) {
          const found = await list(each)
          expect(found?.spans).toBe(1)
          expect(found?.totalMs).toBeCloseTo(100, 0)
        }
      },
    )
  })

  describe('an event on its page', () => {
    const look = async (build: Build) => {
      const [row] = (await maps.send(build)).rows.events
      const viewer = await lookAs()
      return { viewer, data: row?.data ?? '' }
    }
    async function lookAs(): Promise<Viewer> {
      const { control, userId } = world
      const membership = await findMembership(control, userId, 'acme')
      if (!membership) throw new Error('not a member')
      const { role: _, ...organization } = membership
      const { projects } = await listVisibleProjects(control, organization.id, { seesAll: true, userId: null })
      return viewAs({ control }, { organization, projects })
    }
    const read = async (build: Build, between: () => Promise<unknown> = async () => undefined, zone = 'UTC') => {
      const { viewer, data } = await look(build)
      await between()
      return readStacks(viewer, maps.symbolicator, { projectId: world.web, data, zone })
    }
    const adviceOn = async (build: Build, between?: () => Promise<unknown>, zone?: string) =>
      (await read(build, between, zone)).advice[0]?.sentence

    test('is read with maps that came after it', async () => {
      const build: Build = { bundler: 'vite', debugId: idOf('a') }
      const { data, advice } = await read(build, () => maps.upload(build))
      expect(placesOf(data)[0]).toBe('priceOf src/price.js:3')
      expect(advice).toEqual([])
    })

    test('says what is missing, on each frame that stays minified', async () => {
      const plain: Build = { bundler: 'vite' }
      expect((await read(plain)).advice).toHaveLength(4)
      expect(await adviceOn(plain)).toMatch(/neither a debug id .* nor a release.*inject/)
      expect(await adviceOn({ ...plain, debugId: idOf('a') })).toMatch(/No upload holds the debug id aaaaaaaa…/)
      expect(await adviceOn({ ...plain, release: 'shop@1' })).toMatch(/nothing was uploaded for release shop@1/)
    })

    test('says why a server that Nitro has bundled shows the lines of the bundle, and marks its libraries', async () => {
      const at = (file: string) => ({ in_app: true, filename: `/srv/app/.output/server/${file}`, lineno: 3, colno: 9 })
      const frames = [at('_ssr/ssr.mjs'), at('_ssr/data-ymJvz2XN.mjs')]
      const data = JSON.stringify(makeError('Error', 'Stock is not known', frames))
      const found = await readStacks(await lookAs(), maps.symbolicator, { projectId: world.web, data })
      expect(found.advice).toEqual([
        { exception: 0, frame: 1, sentence: expect.stringContaining('the lines those of the bundle') },
      ])
      const shown = JSON.parse(found.data).exception.values[0].stacktrace.frames as { in_app: boolean }[]
      expect(shown.map(({ in_app }) => in_app)).toEqual([false, true])
    })

    test('names the nearest upload of the release', async () => {
      await maps.upload({ bundler: 'webpack', debugId: idOf('b'), release: 'shop@1' })
      const other: Build = { bundler: 'vite', debugId: idOf('a'), release: 'shop@1' }
      expect(await adviceOn(other)).toMatch(
        /upload for release shop@1 \(\d{4}-\d\d-\d\d \d\d:\d\d UTC, 2 files\), of another build/,
      )
      expect(await adviceOn(other, undefined, 'Asia/Kathmandu')).toMatch(/ \d\d:\d\d UTC\+5:45, 2 files\)/)
    })

    test('names the distribution and the project that the file was uploaded for', async () => {
      await maps.upload({ bundler: 'vite', release: 'shop@1', dist: 'ios' })
      expect(await adviceOn({ bundler: 'vite', release: 'shop@1' })).toMatch(
        /uploaded for dist “ios”, but the event says no dist/,
      )
      await maps.upload({ bundler: 'webpack', release: 'shop@2' }, [world.other])
      expect(await adviceOn({ bundler: 'webpack', release: 'shop@2' })).toMatch(/uploaded for the project other/)
    })

    test('names the step at which the upload failed', async () => {
      await world.control.db
        .insertInto('upload_attempt')
        .values({
          organization_id: (await lookAs()).organization.id,
          checksum: 'c',
          state: 'error',
          step: 'manifest',
          detail: 'The archive has no manifest.json.',
          release: 'shop@1',
          dist: '',
          projects: '[]',
          at: world.clock.now,
        })
        .execute()
      expect(await adviceOn({ bundler: 'vite', release: 'shop@1', debugId: idOf('a') })).toMatch(
        /failed at the step “manifest”: The archive has no manifest.json\. Then upload again\./,
      )
    })
  })
})
