import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { findEvent } from '#domain/events/find-event.ts'
import { findLinkedEvent } from '#domain/events/find-linked-event.ts'
import { findShownEvent } from '#domain/events/find-shown-event.ts'
import { listAttachments } from '#domain/events/list-attachments.ts'
import { listEnvironments } from '#domain/events/list-environments.ts'
import { listRollout } from '#domain/events/list-rollout.ts'
import { compareRelease } from '#domain/findings/release/compare-release.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { listSearchValues, listTagKeys } from '#domain/issues/list-search-values.ts'
import { listTagShares } from '#domain/issues/list-tag-shares.ts'
import { findUsualShares } from '#domain/issues/usual-shares.ts'
import { countLogs } from '#domain/logs/count-logs.ts'
import { contextKindsOf, findLog, listContext } from '#domain/logs/find-log.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import { listPatterns } from '#domain/logs/patterns/list-patterns.ts'
import { listOutcomes } from '#domain/projects/list-outcomes.ts'
import { countReleaseActivity } from '#domain/releases/count-release-activity.ts'
import { listReleases } from '#domain/releases/list-releases.ts'
import { countAdoption } from '#domain/releases/release-counts.ts'
import { findRoute } from '#domain/routes/find-route.ts'
import { listRoutes } from '#domain/routes/list-routes.ts'
import { countRouteErrors, measureRoute } from '#domain/routes/measure-route.ts'
import { listLongFrames, listServerActions, listServerWork } from '#domain/routes/route-spans.ts'
import { findSpan } from '#domain/traces/find-span.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import { findTrace } from '#domain/traces/find-trace.ts'
import { listTraces } from '#domain/traces/list-traces.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { startEngine } from '#engine/start-engine.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import type { Command } from './command.ts'
import { ensureShop } from './seed/ensure-shop.ts'
import type { SeedOptions } from './seed/parse-seed-options.ts'
import { seedTelemetry } from './seed/seed-telemetry.ts'

/** Small: every kind of row has to occur, not many of each. */
const seedOptions: SeedOptions & { organization: string } = {
  events: 2_000,
  issues: 60,
  spans: 10_000,
  logs: 1_000,
  days: 3,
  users: 100,
  organization: 'demo',
  project: 'shop',
  seed: 1,
}

export const compile: Command = {
  help: `Usage: hydrant compile

Compiles the WebAssembly build of the embedded engine for this machine. The engine then starts in half the time, needs half
the memory, and is at full speed from the first minute. npm start does this once after the installation. It takes a minute
or two, does not touch your data, and does nothing if the engine is native.`,

  async run(args, terminal) {
    if (args.length > 0) {
      terminal.printError('hydrant compile takes no options.')
      return 2
    }
    const folder = await mkdtemp(join(tmpdir(), 'hydrant-compile-'))
    try {
      const isCompiled = await compileIn(folder)
      terminal.print(isCompiled ? 'Compiled the engine.' : 'The engine is native. Nothing to compile.')
      return 0
    } catch (error) {
      terminal.printError(error instanceof Error ? error.message : String(error))
      return 1
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function compileIn(folder: string): Promise<boolean> {
  const engine = await startEngine({
    dataPath: join(folder, 'telemetry'),
    socketPath: join(folder, 'engine.sock'),
    log: line => void process.stderr.write(`${line}\n`),
    isCompiling: true,
  })
  const telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  const control = openControl({ dataDir: folder })
  try {
    if (engine.build === 'native') return false
    await migrateControl(control, { dataDir: folder, log: { info() {}, warn() {} } })
    await exerciseEngine(control, telemetry)
    await engine.saveCode()
    return true
  } finally {
    await control.close()
    await telemetry.close()
    await engine.stop()
  }
}

/** Runs the code paths of a real installation: migrations, inserts, merges and the queries of pages. */
async function exerciseEngine(control: Control, telemetry: Telemetry): Promise<void> {
  const layout = { kind: 'single' } as const
  await migrateTelemetry(telemetry, layout)
  const shop = await ensureShop({ db: control.db, actor: 'cli', now: Date.now }, seedOptions)
  if (!shop.ok) throw new Error(shop.code)
  const { projectId } = shop
  const retentionDays = { errors: 90, rest: 30 }
  const { signal } = new AbortController() // nothing interrupts it
  const options = { control, telemetry, layout, projectId, options: seedOptions, retentionDays, nowMs: Date.now() }
  await seedTelemetry({ ...options, signal })
  // A first run may exceed the time limit of page queries; the code that it reached is compiled anyway.
  await runPageQueries(createSeedViewer(control, telemetry, projectId)).catch(() => undefined)
  await runPageQueries(createSeedViewer(control, telemetry, projectId))
}

/** The only viewer made without a guard: it sees nothing but seeded data in a temporary folder. */
function createSeedViewer(control: Control, telemetry: Telemetry, projectId: number): Viewer {
  const identity = {
    user: { id: '', name: '', email: '' },
    organization: { id: 1, slug: seedOptions.organization, name: seedOptions.organization },
    role: 'owner' as const,
    projects: [{ id: projectId, slug: seedOptions.project, name: seedOptions.project, isInternal: false }],
    now: Date.now(),
  }
  return createViewer(identity, { control, telemetry })
}

const dayMs = 86_400_000
const ranges = [dayMs, 30 * dayMs]
const searches = ['is:unresolved', 'browser.name:Firefox', '!plan:business', 'release:shop@1*', '"undefined"']

/** Runs each query of the pages once. A repeat needs a viewer with a later `now`, because results are cached for a minute. */
export async function runPageQueries(viewer: Viewer): Promise<void> {
  for (const rangeMs of ranges) {
    for (const query of searches) {
      const { terms } = parseSearch(query)
      await listIssues(viewer, { terms, rangeMs, sort: 'urgency' })
    }
  }
  await runIssueQueries(viewer)
  await runRouteQueries(viewer)
  await runLogQueries(viewer)
  await runTraceQueries(viewer)
  await listEnvironments(viewer)
  await listTagKeys(viewer, 'issues', '')
  await listSearchValues(viewer, { of: 'issues', key: 'browser.name', prefix: '' })
  await listSearchValues(viewer, { of: 'spans', key: 'op', prefix: '' })
  await listOutcomes(viewer, { since: viewer.now - dayMs })
  const { releases } = await listReleases(viewer, { sort: 'date', offset: 0 })
  await countAdoption(viewer, releases)
  const [newest, before = null] = releases
  if (!newest) return
  await compareRelease(viewer, newest, before)
  await countReleaseActivity(viewer, newest)
}

async function runIssueQueries(viewer: Viewer): Promise<void> {
  const { issues } = await listIssues(viewer, { terms: [], rangeMs: 30 * dayMs, sort: 'events', limit: 3 })
  for (const { id } of issues) {
    const issue = await findIssue(viewer, id)
    if (!issue) continue
    await countIssue(viewer, issue, {})
    await listTagShares(viewer, issue, {})
    await findUsualShares(viewer, issue.projectId)
    await listRollout(viewer, issue, 'shop@1.0.0')
    for (const kind of ['latest', 'oldest', 'recommended'] as const) {
      const shown = await findShownEvent(viewer, issue, { kind }, { within: 'organization' })
      if (!shown) continue
      const { event } = shown
      await findEvent(viewer, issue, event.event_id, event.timestamp)
      await listAttachments(viewer, issue, event.event_id)
      await findLinkedEvent(viewer, issue, { of: event, isOnServer: true, filter: {} })
      await findSpanPosition(viewer, event)
    }
  }
}

async function runRouteQueries(viewer: Viewer): Promise<void> {
  for (const rangeMs of ranges) {
    const [busiest] = await listRoutes(viewer, { rangeMs })
    await listRoutes(viewer, { rangeMs, isBefore: true })
    await countRouteErrors(viewer, { rangeMs })
    if (!busiest) continue
    const { route } = busiest
    await findRoute(viewer, { rangeMs }, route)
    for (const measure of ['lcp', 'request'] as const) await measureRoute(viewer, { rangeMs }, route, measure)
    await listServerWork(viewer, { rangeMs: dayMs }, route)
    await listServerActions(viewer, { rangeMs: dayMs }, route)
    await listLongFrames(viewer, { rangeMs: dayMs }, route)
  }
}

async function runLogQueries(viewer: Viewer): Promise<void> {
  const terms = parseSearch('level:>=warn item', languageOf(logFields)).terms
  for (const filter of [
    { terms: [], rangeMs: dayMs },
    { terms, rangeMs: 30 * dayMs },
  ]) {
    const { lines } = await listLogs(viewer, filter, { columns: ['route'] })
    await countLogs(viewer, filter)
    await listPatterns(viewer, filter, null)
    const [first] = lines
    const line = first ? await findLog(viewer, first) : null
    if (line) for (const kind of contextKindsOf(line)) await listContext(viewer, line, kind, 5)
  }
}

async function runTraceQueries(viewer: Viewer): Promise<void> {
  for (const sort of ['newest', 'slowest'] as const) {
    const filter = { terms: [], rangeMs: dayMs, sort }
    await measureSpans(viewer, filter)
    const { traces } = await listTraces(viewer, filter)
    for (const { traceId, spanId } of traces.slice(0, 2)) {
      await findTrace(viewer, traceId)
      await findSpan(viewer, traceId, spanId)
    }
  }
}
