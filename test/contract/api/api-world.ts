/**
 * The web API over real stores, called through its router without a server. The organization `other` has telemetry in two projects,
 * one of them private. `acme` is an unrelated organization with one issue.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { routeApiRequest } from '#api/router.ts'
import { readConfig } from '#config.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { tokenScopes } from '#domain/tokens/token-scopes.ts'
import { openLog } from '#lib/open-log.ts'
import { createTargetRules } from '#lib/outbound/check-target.ts'
import { createOutbound } from '#lib/outbound/send-request.ts'
import { createTurns } from '#lib/turns.ts'
import { emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import type { getRuntime } from '#runtime.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { provideSymbolicator } from '#web/get-symbolicator.ts'
import { silentLog } from '../on-each-engine.ts'
import { writeNeighbor } from '../scope/neighbor-project.ts'
import {
  backendId,
  describeOther,
  type Other,
  organizationId,
  projectId,
  writeOther,
} from '../scope/other-organization.ts'
import { borrowTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { asUuid, metricRuleId } from './fill-pattern.ts'

type Runtime = ReturnType<typeof getRuntime>
type Answer = { status: number; text: string; headers: Headers }
type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> }

export type ApiWorld = {
  other: Other
  control: Control
  /** Of the organization. `all` sees the private project, `open` does not; `stranger` is of another organization. */
  tokens: { all: string; open: string; stranger: string }
  /** The issue of the stranger. */
  strangerIssue: number
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Empties the caches. */
  forget(): void
  /** All rows of the control database, except what a refused request may write: the audit log, and when a token was used. */
  dump(): Promise<string>
  stop(): Promise<void>
}

const holder = globalThis as { [key: symbol]: unknown }
const runtimeKey = Symbol.for('hydrant.runtime')

/** `control` is that of another engine; by default SQLite in the folder of the telemetry. */
export async function startApiWorld(store?: TelemetryUnderTest, control?: Control): Promise<ApiWorld> {
  const telemetry = store ?? (await borrowTelemetry())
  const database = control ?? openControl({ dataDir: telemetry.folder })
  if (control === undefined) await migrateControl(database, { dataDir: telemetry.folder, log: silentLog })
  const other = describeOther()
  attach(other)
  await writeOther(database, telemetry.telemetry, other)
  await writeNeighbor(database, telemetry.telemetry, other)
  await database.db.updateTable('project').set({ is_private: 1 }).where('id', '=', backendId).execute()
  const strangerIssue = await addStranger(database, other.now)
  await addMetricRule(database, other.now)
  const before = holder[runtimeKey]
  provideSymbolicator({ resolve: async () => [], close: async () => undefined })
  const runtime = provide(telemetry, database, other.now)
  for (const { blob, size_bytes } of other.rows.attachments ?? [])
    await runtime.blobs.put(blob, { kind: 'bytes', bytes: Buffer.alloc(Number(size_bytes), 'a file') })
  const create = async (organization: number, seesPrivate: boolean) => {
    const made = await createAuthToken(
      { db: database.db, actor: 'test', now: () => other.now },
      {
        ...{ organizationId: organization, name: 'reader', publicUrl: 'http://hydrant.example', seesPrivate },
        scopes: Object.keys(tokenScopes),
      },
    )
    if (!made.ok) throw new Error(made.code)
    return made.token
  }
  const tokens = {
    all: await create(organizationId, true),
    open: await create(organizationId, false),
    stranger: await create(strangerId, true),
  }
  return {
    other,
    control: database,
    tokens,
    strangerIssue,
    call: async (method, path, { token = tokens.all, body, headers = {} } = {}) => {
      const response = await routeApiRequest(
        new Request(`http://hydrant.example${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...headers },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      )
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    forget: () => {
      runtime.telemetry = { ...telemetry.telemetry }
    },
    dump: () => dumpRows(database),
    stop: async () => {
      holder[runtimeKey] = before
      if (control === undefined) await database.close()
      if (store === undefined) await telemetry.stop()
    },
  }
}

function provide({ telemetry, folder }: TelemetryUnderTest, control: Control, now: number): Runtime {
  const read = readConfig({
    HYDRANT_DATA_DIR: folder,
    HYDRANT_URL: 'http://hydrant.example',
    HYDRANT_SELF_REPORT: 'off',
  })
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const { config } = read
  const runtime: Runtime = {
    config,
    control,
    telemetry: { ...telemetry },
    readTurns: createTurns({
      running: { total: 4, perOrganization: 4, perMember: 4 },
      waiting: { perOrganization: 600, perMember: 150 },
    }),
    blobs: openBlobs(config),
    log: openLog('test', 'silent'),
    outbound: createOutbound({ rules: createTargetRules({ ...config, allow: [] }) }),
    mailer: null,
    clock: { now: () => now },
  }
  holder[runtimeKey] = runtime
  return runtime
}

/** A file for the event that paths name. */
function attach({ rows, event }: Other): void {
  const [attachment] = rows.attachments ?? []
  if (attachment === undefined) throw new Error('The captures hold no attachment')
  rows.attachments?.push({ ...attachment, event_id: asUuid(event.event_id), blob: `${attachment.blob}-2` })
}

async function addMetricRule({ db }: Control, now: number): Promise<void> {
  const metric = { dataset: 'errors', measure: 'count()', windowMs: 3_600_000, critical: 9 }
  await db
    .insertInto('alert_rule')
    .values({
      ...{ id: metricRuleId, organization_id: organizationId, project_id: projectId, key: 'metric', name: 'Metric' },
      ...{ config: JSON.stringify({ metric }), is_on: 1, snoozed_until: null, owner_user_id: null, created_by: '' },
      ...{ created_at: now, updated_at: now },
    })
    .execute()
}

const strangerId = 800

async function addStranger({ db }: Control, now: number): Promise<number> {
  const id = 700
  await db
    .insertInto('organization')
    .values({ id: strangerId, slug: 'acme', name: 'Acme', created_at: now, two_factor_from: null })
    .execute()
  await db
    .insertInto('project')
    .values({
      ...{ id: 801, organization_id: strangerId, slug: 'web', name: 'Web', platform: '', is_internal: 0 as const },
      ...{ first_event_at: now, created_at: now, last_issue_number: 1 },
    })
    .execute()
  const issue = { title: 'Stranger', culprit: '', kind: 'error', level: 'error', status_detail: '{}', assignee: '' }
  await db
    .insertInto('issue')
    .values({ ...issue, id, project_id: 801, number: 1, status: 'unresolved', created_at: now })
    .execute()
  await db
    .insertInto('issue_hash')
    .values({
      ...{ project_id: 801, group_version: 1, group_hash: 'c'.repeat(32), issue_id: id, home_issue_id: null },
      ...{ event_count: 1, first_seen: now, last_seen: now, first_release: '', last_release: '', last_event_id: '' },
      ...{ user_sketch: encodeUserSketch(emptyUserSketch), user_count: 0 },
    })
    .execute()
  return id
}

const unlogged = new Set(['audit', 'audit_chain'])

async function dumpRows({ db }: Control): Promise<string> {
  const tables = await db.introspection.getTables()
  const hash = createHash('sha256')
  for (const { name } of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (unlogged.has(name)) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    const texts = rows.map(({ last_used_at: _, ...row }) =>
      JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    )
    hash.update(`${name}\n${texts.toSorted().join('\n')}\n`)
  }
  return hash.digest('hex')
}
