/** An organization with something in every table that members can read, for a viewer of another one to look for. */
import { sql } from 'kysely'
import { processRecord } from '#digest/process-record.ts'
import { rollUpBatch } from '#digest/roll-up-batch.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import type { Report } from '#domain/feedback/list-reports.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { patternHash } from '#domain/logs/patterns/pattern-issue.ts'
import type { Release } from '#domain/releases/read-releases.ts'
import type { ReplaySummary } from '#domain/replays/read-summaries.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import { addUsers, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import { maxKnownRoutes } from '#react/routes/resolve-routes.ts'
import type { Control } from '#store/control/control.ts'
import type { Rows } from '#store/telemetry/rows.ts'
import { type TableName, tableNames } from '#store/telemetry/tables.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { listCaptures, readCapture } from '../../read-capture.ts'

export const organizationId = 900
export const projectId = 901
export const backendId = 902
export const channelId = 905
export const erasureId = '0199a8f2-77c1-7000-8000-000000000098'
export const userId = 'bob'
const scenarios = [
  'next-server-component-error',
  'next-hydration',
  'next-navigation',
  'next-server-action',
  'next-pageload-param',
  'next-logs-metrics',
  'next-replay',
  'node-attachment',
  'node-checkin',
  'node-feedback',
  'node-sessions',
  'next-replay',
]

type StoredRows = { [Table in TableName]?: Rows[Table][] }

function readRows(): StoredRows {
  const rows: StoredRows = {}
  const add = <Table extends TableName>(table: Table, more: readonly Rows[Table][]): void => {
    rows[table] = [...(rows[table] ?? []), ...more] as StoredRows[Table]
  }
  for (const name of scenarios.flatMap(listCaptures)) {
    const record = readCapture(name)
    const head = { ...record.head, projectId }
    const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    const processed = processRecord({ ...record, head }, context)
    for (const table of tableNames) add(table, (processed.rows[table] ?? []) as never)
    const { spans = [], events = [] } = processed.rows
    add('route_sums', rollUpBatch({ rows: { spans, events }, groupedEvents: processed.groupedEvents }) as never)
  }
  const [attachment] = rows.attachments ?? []
  const [event] = rows.events ?? []
  if (attachment === undefined || event === undefined) throw new Error('The captures hold no attachment or no event')
  add('attachments', [{ ...attachment, event_id: event.event_id }])
  const hour = Math.floor(event.timestamp / 3_600_000) * 3_600
  add('outcomes', [
    {
      project_id: projectId,
      hour,
      category: 'error',
      outcome: 'filtered',
      reason: 'resize-observer',
      quantity: 3,
    } as never,
  ])
  const segments = (rows.spans ?? []).filter(({ is_segment }) => is_segment)
  for (const segment of segments) segment.profiler_id = 'b'.repeat(32)
  const request = segments.find(({ op, is_prefetch }) => op === 'http.server' && !is_prefetch)
  if (request === undefined) throw new Error('The captures lack a request')
  request.status_code = 404
  add('profiles', segments.map(sampled))
  add('profile_sums', (rows.spans ?? []).filter(({ route }) => route !== '').map(profiled))
  return rows
}

/** The chunk of its profiler. */
const sampled = ({
  project_id,
  timestamp,
  received_at,
  retention_days,
  profiler_id,
}: Rows['spans']): Rows['profiles'] => ({
  ...{ project_id, timestamp: Math.round(timestamp / 1e3), received_at, retention_days, weight: 1, profiler_id },
  ...{ kind: 'profile_chunk', profile_id: profiler_id, platform: 'node', environment: '', release: '' },
  ...{ trace_id: profiler_id, size_bytes: 1, blob: 'profile/2026-01-01/1/a' },
})

/** Its only function ran all the time. */
const profiled = (span: Rows['spans']): Rows['profile_sums'] => ({
  ...{ project_id: span.project_id, bucket: Math.floor(span.timestamp / 3e8) * 300, received_at: span.received_at },
  ...{ retention_days: span.retention_days, route: span.route, platform: 'node', release: '', environment: '' },
  ...{ function_name: '', file: '', line: 0, position: 0, debug_id: '', self_ms: 5, total_ms: 5, samples: 1, spans: 1 },
  ...{ trace_id: span.trace_id, span_id: span.span_id, example_ms: 5 },
})

/** What a viewer of the other organization would have to guess. */
export type Other = ReturnType<typeof describeOther>

export function describeOther() {
  const rows = readRows()
  const event = rows.events?.find(({ trace_id }) => rows.spans?.some(span => span.trace_id === trace_id))
  const log = rows.logs?.find(({ trace_id }) => !/^[0-]*$/.test(trace_id))
  const span = rows.spans?.find(each => each.trace_id === event?.trace_id)
  const feedback = rows.feedback?.[0]
  if (!event || !span || !log || !feedback) throw new Error('The captures lack an event, a span, a log or feedback')
  feedback.associated_event_id = event.event_id
  feedback.timestamp = event.timestamp
  log.span_id = '7' // of a span that was not received
  const written = rows.events?.find(({ event_id }) => event_id === feedback.feedback_id)
  const replay = rows.replays?.[0]
  if (!written || !replay) throw new Error('The captures lack the event of the feedback, or a replay')
  written.timestamp = event.timestamp
  const [attachment] = rows.attachments ?? []
  if (attachment) rows.attachments?.push({ ...attachment, event_id: written.event_id, content_type: 'image/png' })
  log.replay_id = replay.replay_id
  const plain = (uuid: string): string => uuid.replaceAll('-', '')
  const now = Math.max(...(rows.spans ?? []).map(({ timestamp }) => Math.ceil(timestamp / 1e3))) + 60_000
  const issue = {
    id: 77,
    shortId: 'APP-7',
    title: 'Secret',
    culprit: '',
    kind: 'error',
    level: 'error',
    status: 'unresolved',
    projectId,
    projectSlug: 'app',
    eventCount: 1,
    userCount: 1,
    firstSeen: event.timestamp - 3_600_000,
    lastSeen: event.timestamp + 3_600_000,
    hashes: [event.group_hash],
  } satisfies Issue
  const stored = {
    ...event,
    event_id: plain(event.event_id),
    trace_id: plain(event.trace_id),
    span_id: BigInt(span.span_id).toString(16).padStart(16, '0'),
  } as unknown as StoredEvent
  const release: Release = {
    version: event.release,
    id: 70,
    createdAt: event.timestamp,
    startedAt: null,
    releasedAt: event.timestamp,
    url: '',
    ref: '',
    firstSeen: event.timestamp,
    projectIds: [projectId],
  }
  const report = {
    projectId,
    hash: written.group_hash,
    eventId: plain(written.event_id),
    at: event.timestamp + 1_000,
    ...{
      message: '',
      name: '',
      email: '',
      source: '',
      route: '',
      url: '',
      release: '',
      environment: '',
      browser: '',
      os: '',
    },
    userHash: '0',
    traceId: null,
    replayId: plain(replay.replay_id),
    errorId: plain(event.event_id),
  } satisfies Report
  return {
    rows,
    now,
    issue,
    report,
    feedbackIssue: { ...issue, id: 81, kind: feedbackKind, hashes: [written.group_hash] },
    event: stored,
    release,
    traceId: plain(event.trace_id),
    logTraceId: plain(log.trace_id),
    line: {
      atUs: log.timestamp,
      id: plain(log.log_id),
      pattern: BigInt(log.pattern).toString(16).padStart(16, '0'),
    },
    span: { id: stored.span_id, op: span.op, name: span.name },
    route: '/hydration',
    workRoute: '/items/[id]',
    file: 'app.js',
    replay: describeReplay(rows, plain(event.trace_id)),
    laterVersion: `${event.release.split('@')[0]}@99.0.0`,
  }
}

/** A replay in whose traces there was an error. */
function describeReplay({ replays = [], events = [], spans = [] }: StoredRows, traceId: string): ReplaySummary {
  const times = [...replays, ...events].map(({ timestamp }) => timestamp)
  const [first] = replays
  if (first === undefined || spans.length === 0) throw new Error('The captures hold no replay')
  return {
    ...{ replayId: first.replay_id.replaceAll('-', ''), projectId, urls: [], errors: 0, clicks: 0, deadClicks: 0 },
    ...{ rageClicks: 0, activity: 1, user: { id: '', email: '', name: '', ip: first.user_ip }, device: '' },
    browser: `${first.browser_name} ${first.browser_version}`.trim(),
    os: `${first.os_name} ${first.os_version}`.trim(),
    ...{ release: '', environment: '', replayType: 'session', segmentCount: 5, missingSegments: [], errorIds: [] },
    startedAt: Math.min(...times),
    endedAt: Math.max(...times),
    traceIds: [traceId],
  }
}

export async function writeOther(control: Control, telemetry: Telemetry, other: Other): Promise<void> {
  for (const table of tableNames) {
    const rows = other.rows[table] ?? []
    if (rows.length === 0 || table === 'event_index') continue
    const write = { table, rows: rows as never, batchId: 'other:1', mayHaveArrived: false, isSuspect: false }
    const result = await writeBatch(telemetry, write)
    if (result.kind !== 'done' || result.refused.length > 0) throw new Error(`${table} was not written`)
  }
  await telemetry.command(indexStoredEventsSql('1'))
  await writeAccounts(control, other.now)
  await writeIssues(control, other)
  await writeReleases(control, other)
  await writeAlerts(control, other)
  await writePrivacy(control, other)
}

/** A scrubbing rule, and a deletion of a user's data. */
async function writePrivacy({ db }: Control, { now }: Other): Promise<void> {
  await db
    .insertInto('scrub_rule')
    .values({
      ...{ organization_id: organizationId, project_id: projectId, kind: 'field', path: 'user.email', pattern: '' },
      ...{ action: 'remove', since: now - 60_000, until: null, actor: '' },
    })
    .execute()
  await db
    .insertInto('user_erasure')
    .values({
      ...{
        id: erasureId,
        organization_id: organizationId,
        identifiers: '{}',
        state: 'done',
        progress: '{"deleted":{},"pending":{}}',
      },
      ...{ requested_at: now, requested_by: '', covers_until: now, finished_at: now, last_error: '' },
    })
    .execute()
}

/** A rule with a channel, what it has sent, and a member's bell. */
async function writeAlerts({ db }: Control, { now, issue }: Other): Promise<void> {
  const organization = { organization_id: organizationId }
  await db
    .insertInto('channel')
    .values({
      ...{ ...organization, id: 95, project_id: null, name: 'Secret hook', kind: 'webhook', config: '{}' },
      ...{ state_at: now, owner_user_id: userId, created_at: now },
    })
    .execute()
  await db
    .insertInto('alert_rule')
    .values({
      ...{
        ...organization,
        id: 96,
        project_id: projectId,
        key: `${projectId}/Secret rule`,
        name: 'Secret rule',
        config: '{"when":["new-issue"]}',
      },
      ...{ is_on: 1, snoozed_until: null, owner_user_id: userId, created_by: '', created_at: now, updated_at: now },
    })
    .execute()
  await db
    .insertInto('saved_view')
    .values({
      ...{ ...organization, id: 98, user_id: userId, list: 'issues', name: 'Secret view', query: 'q=secret' },
      ...{ is_shared: 1, position: 1, created_at: now },
    })
    .execute()
  await db
    .insertInto('default_view')
    .values({ ...organization, user_id: userId, list: 'issues', view_id: 98 })
    .execute()
  await db.insertInto('alert_rule_channel').values({ rule_id: 96, channel_id: 95 }).execute()
  await db.insertInto('alert_rule_day').values({ rule_id: 96, day: 1, messages: 1, last_at: now }).execute()
  await db
    .insertInto('detector')
    .values({
      ...{ ...organization, project_id: projectId, rule_id: 96, key: 'rule:96', name: 'Secret detector' },
      ...{ severity: 'critical', since: now, judged_at: now, value: 1 },
    })
    .execute()
  await db
    .insertInto('incident')
    .values({
      ...{ ...organization, id: 97, project_id: projectId, detector_id: null, rule_id: 96, name: 'Secret incident' },
      ...{ severity: 'critical', opened_at: now, closed_at: null, peak: 1, reason: 'secret', metric: '' },
    })
    .execute()
  await db
    .insertInto('incident_update')
    .values({ incident_id: 97, at: now, kind: 'opened', severity: 'critical', value: 1, reason: 'secret' })
    .execute()
  const message = {
    ...{ kind: 'issue', type: 'issue.new', issueId: issue.id, projectId, ruleId: null, at: now },
    ...{ severity: 'warning', reason: 'secret' },
  }
  await db
    .insertInto('notification')
    .values({
      ...{ ...organization, user_id: userId, project_id: projectId, key: 'k', message: JSON.stringify(message) },
      ...{ at: now, read_at: null },
    })
    .execute()
  await db
    .insertInto('notification_setting')
    .values({ ...organization, user_id: userId, type: 'issue.resolved', in_app: 1, email: 1 })
    .execute()
}

async function writeAccounts({ db }: Control, now: number): Promise<void> {
  await db
    .insertInto('organization')
    .values({ id: organizationId, slug: 'other', name: 'Other', created_at: now, two_factor_from: now })
    .execute()
  const project = {
    organization_id: organizationId,
    platform: '',
    is_internal: 0 as const,
    first_event_at: now,
    created_at: now,
  }
  await db
    .insertInto('project')
    .values([
      { ...project, id: projectId, slug: 'app', name: 'App', last_issue_number: 7 } as const,
      { ...project, id: backendId, slug: 'backend', name: 'Backend', last_issue_number: 1 } as const,
      { ...project, id: 903, slug: 'gone', name: 'Gone', last_issue_number: 0, deleted_at: now } as const,
    ])
    .execute()
  const at = new Date(now).toISOString()
  const user = { id: userId, name: 'Bob', email: 'bob@example.com', image: null, createdAt: at, updatedAt: at }
  await db
    .insertInto('user')
    .values({ ...user, emailVerified: sql`false` })
    .execute()
  await db
    .insertInto('member')
    .values({ organization_id: organizationId, user_id: userId, role: 'owner', created_at: now })
    .execute()
  const team = { id: 90, organization_id: organizationId, slug: 'core', name: 'Core', created_at: now }
  await db.insertInto('team').values(team).execute()
  await db.insertInto('team_member').values({ team_id: 90, user_id: userId }).execute()
  await db.insertInto('project_access').values({ team_id: 90, project_id: projectId }).execute()
  const invitation = {
    id: 'theirs',
    organization_id: organizationId,
    token_hash: 'theirs',
    email: '',
    role: 'viewer' as const,
  }
  const open = { accepted_by: null, accepted_at: null, revoked_at: null, expires_at: now + 1_000 }
  await db
    .insertInto('invitation')
    .values({ ...invitation, ...open, team_ids: '[]', invited_by: userId, created_at: now })
    .execute()
  const key = {
    project_id: projectId,
    public_key: 'a'.repeat(32),
    label: 'Default',
    is_active: 1,
    created_at: now,
  } as const
  await db
    .insertInto('project_key')
    .values({ ...key, events_per_minute: 0 })
    .execute()
  const token = { organization_id: organizationId, name: 'CI', token_hash: 'x', token_hint: 'abcd', scopes: '[]' }
  await db
    .insertInto('auth_token')
    .values({ ...token, created_by: userId, created_at: now, last_used_at: null, revoked_at: null })
    .execute()
  const filter = {
    project_id: projectId,
    rule: 'resize-observer',
    since: 1,
    mode: 'off',
    keep_one_in: 1,
    actor: '',
  } as const
  await db.insertInto('project_filter').values(filter).execute()
  const example = { project_id: projectId, rule: 'resize-observer', event_id: 'e', at: now, title: 'Secret' }
  await db
    .insertInto('filtered_example')
    .values({ ...example, route: '', release: '', browser: '' })
    .execute()
  const channel = { id: channelId, organization_id: organizationId, project_id: null, name: 'Secret', kind: 'webhook' }
  await db
    .insertInto('channel')
    .values({ ...channel, config: '{}', state_at: now, owner_user_id: userId, created_at: now })
    .execute()
  const message = { id: 'secret', organization_id: organizationId, channel_id: channelId, key: 'secret', message: '{}' }
  await db
    .insertInto('outbox')
    .values({ ...message, not_before: now, created_at: now })
    .execute()
  const delivery = { outbox_id: 'secret', channel_id: channelId, at: now, title: 'Secret', attempt: 1, status: 200 }
  await db
    .insertInto('delivery')
    .values({ ...delivery, latency_ms: 1, response: 'Secret', outcome: 'sent' })
    .execute()
}

async function writeIssues({ db }: Control, { issue, feedbackIssue, event, now, release, line }: Other): Promise<void> {
  const fields = {
    title: 'Secret',
    culprit: '',
    kind: 'error',
    level: 'error',
    status_detail: '{}',
    assignee: `user:${userId}`,
    created_at: issue.firstSeen,
  }
  const resolution = JSON.stringify({ kind: 'in_release', version: release.version })
  await db
    .insertInto('issue')
    .values([
      { ...fields, id: issue.id, project_id: projectId, number: 7, status: 'unresolved' },
      { ...fields, id: 78, project_id: backendId, number: 1, status: 'unresolved' },
      // Merged into the first.
      { ...fields, id: 79, project_id: projectId, number: 8, status: 'unresolved' },
      { ...fields, id: 80, project_id: projectId, number: 9, status: 'resolved', status_detail: resolution },
      { ...fields, id: feedbackIssue.id, project_id: projectId, number: 10, status: 'unresolved', kind: feedbackKind },
    ])
    .execute()
  const hash = {
    group_version: event.group_version,
    event_count: 1,
    first_seen: issue.firstSeen,
    last_seen: issue.lastSeen,
    first_release: release.version,
    last_release: release.version,
    last_event_id: event.event_id,
    user_sketch: encodeUserSketch(addUsers(emptyUserSketch, ['12'])),
    user_count: 1,
  }
  const [own] = issue.hashes
  const serverHash = 'b'.repeat(32)
  await db
    .insertInto('issue_hash')
    .values([
      { ...hash, project_id: projectId, group_hash: own ?? '', issue_id: issue.id, home_issue_id: 79 },
      { ...hash, project_id: projectId, group_hash: patternHash(line.pattern), issue_id: 80, home_issue_id: null },
      { ...hash, project_id: backendId, group_hash: serverHash, issue_id: 78, home_issue_id: null },
      {
        ...{ ...hash, group_version: 1, project_id: projectId, issue_id: feedbackIssue.id, home_issue_id: null },
        group_hash: feedbackIssue.hashes[0] ?? '',
      },
    ])
    .execute()
  await db
    .insertInto('recommended_event')
    .values({
      project_id: projectId,
      group_version: event.group_version,
      group_hash: own ?? '',
      rank: event.timestamp,
      at: event.timestamp,
      received_at: event.received_at,
      event_id: event.event_id,
      trace_id: event.trace_id,
      span_id: '0',
      environment: '',
    })
    .execute()
  const pair = { project_id: projectId, group_hash: own ?? '', server_project_id: backendId, server_hash: serverHash }
  await db
    .insertInto('linked_group')
    .values({ ...pair, group_version: event.group_version })
    .execute()
  const entry = { issue_id: issue.id, project_id: projectId, actor: `user:${userId}`, change_id: 'a change' }
  await db
    .insertInto('issue_activity')
    .values([
      { ...entry, at: now, kind: 'comment', detail: '{"text":"secret"}' },
      { ...entry, at: now, kind: 'regressed', detail: JSON.stringify({ release: release.version }) },
    ])
    .execute()
  await db
    .insertInto('issue_ticket')
    .values({
      issue_id: issue.id,
      project_id: projectId,
      actor: `user:${userId}`,
      at: now,
      url: 'https://tracker.example/1',
      title: 'secret',
    })
    .execute()
  const counted = { project_id: projectId, group_version: event.group_version, group_hash: own ?? '', event_count: 1 }
  const hour = Math.floor(event.timestamp / 3_600_000)
  await db
    .insertInto('hash_hour')
    .values({ ...counted, hour, user_sketch: null })
    .execute()
  await db
    .insertInto('hash_day')
    .values({ ...counted, day: Math.floor(hour / 24), user_sketch: null })
    .execute()
}

async function writeReleases({ db }: Control, { release, laterVersion, now, file }: Other): Promise<void> {
  const { version } = release
  const fields = { organization_id: organizationId, created_at: release.createdAt, started_at: null }
  await db
    .insertInto('release')
    .values([
      { ...fields, id: 70, version, released_at: release.releasedAt },
      { ...fields, id: 71, version: laterVersion, released_at: null },
    ])
    .execute()
  await db
    .insertInto('release_project')
    .values([70, 71].map(release_id => ({ release_id, project_id: projectId })))
    .execute()
  await db
    .insertInto('project_release')
    .values([
      { project_id: projectId, version, first_seen: release.createdAt },
      { project_id: projectId, version: laterVersion, first_seen: release.createdAt + 1 },
    ])
    .execute()
  // As many as are kept: less would say nothing.
  const known = Array.from({ length: maxKnownRoutes }, (_, index) => `/secret/${index}/[id]`)
  for (let from = 0; from < known.length; from += 200)
    await db
      .insertInto('known_route')
      .values(
        known
          .slice(from, from + 200)
          .map(route => ({ inbox_id: 'secret', project_id: projectId, route, seen_at: now })),
      )
      .execute()
  const deploy = { environment: 'production', name: 'secret', url: '', started_at: null, finished_at: now }
  await db
    .insertInto('deploy')
    .values({ ...deploy, release_id: 70 })
    .execute()
  const commit = {
    position: 0,
    commit_id: 'c1',
    repository: 'secret',
    author_name: 'Bob',
    author_email: 'bob@example.com',
  }
  await db
    .insertInto('release_commit')
    .values([70, 71].map(release_id => ({ ...commit, release_id, message: '', committed_at: 1, file_count: 0 })))
    .execute()
  const bundle = { id: 60, organization_id: organizationId, checksum: 'd'.repeat(40), blob_key: 'secret' }
  await db
    .insertInto('artifact_bundle')
    .values({ ...bundle, size_bytes: 9, file_count: 1, uploaded_at: now, last_used_at: null })
    .execute()
  await db.insertInto('artifact_bundle_project').values({ bundle_id: 60, project_id: projectId }).execute()
  await db.insertInto('artifact_bundle_release').values({ bundle_id: 60, release: version, dist: '' }).execute()
  const source = { bundle_id: 60, path: file, url: `~/${file}`, kind: 'source_map', debug_id: '' } as const
  await db
    .insertInto('artifact_file')
    .values({ ...source, source_map_ref: '', size_bytes: 9 })
    .execute()
  const attempt = { organization_id: organizationId, checksum: 'e'.repeat(40), state: 'error', step: 'store' } as const
  await db
    .insertInto('upload_attempt')
    .values({ ...attempt, detail: 'secret', release: version, dist: '', projects: '[]', at: now })
    .execute()
}
