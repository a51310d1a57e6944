/** One Hydrant with two organizations, a member for every role and a token for every scope. */
import { createChannel } from '#domain/channels/change-channel.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { openControl } from '#store/control/open-control.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { listActions } from '../e2e/app-manifest.ts'
import { postEnvelope } from '../e2e/post-envelope.ts'
import { hexId, recipientOf, sendSpans } from '../e2e/trace-scenes.ts'
import { createVisitor, signInVisitor, type Visitor } from '../e2e/visitor.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { includedScopes, missingId, type Role, roles } from './expected-access.ts'

export const password = 'correct horse'
/** One segment with an empty recording. */
async function sendReplay(dsn: string, { replayId, traceId }: { replayId: string; traceId: string }): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const at = Date.now() / 1_000
  const recording = '{"segment_id":0}\n[]'
  const about = {
    replay_id: replayId,
    segment_id: 0,
    timestamp: at,
    replay_start_timestamp: at - 60,
    trace_ids: [traceId],
  }
  const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: [
      JSON.stringify({ event_id: replayId }),
      '{"type":"replay_event"}',
      JSON.stringify(about),
      JSON.stringify({ type: 'replay_recording', length: recording.length }),
      recording,
    ].join('\n'),
  })
  if (response.status !== 200) throw new Error(`the replay was answered with ${response.status}`)
}

export type Who = Role | 'anonymous' | 'stranger'
export type AccessWorld = {
  hydrant: Hydrant
  /** The setup form's error for a wrong code, and the status of its page before there was a user. */
  setup: { code: string; refusal: string; statusAfter: number }
  as(who: Who): Visitor
  token(scope: string): string
  /** A real path for a pattern. A parameter without a value throws. */
  address(pattern: string, org?: string): string
  issueId: string
}

export async function startAccessWorld(): Promise<AccessWorld> {
  const hydrant = await borrowHydrant({ isFresh: true })
  const setup = await tryWrongSetupCode(hydrant)
  const init = (slug: string, name: string, email: string) =>
    hydrant.init('--org', slug, '--project', name, '--email', email, '--password', password)
  const { dsn } = await init('acme', 'web', 'owner@example.com')
  await init('other', 'app', 'stranger@example.com')
  for (const role of ['viewer', 'member', 'admin'])
    await hydrant.cli(
      ...['user', 'add', '--org', 'acme', '--email', `${role}@example.com`, '--role', role, '--password', password],
    )
  const sent = await sendTelemetry(dsn)
  await hydrant.drained()
  const people = new Map<Who, Visitor>([['anonymous', createVisitor(hydrant.url)]])
  for (const who of [...roles, 'stranger'] as const)
    people.set(who, await signInVisitor(hydrant.url, `${who}@example.com`, password))
  const as = (who: Who) => found(people.get(who), who)
  const list = await (await as('owner').get('/acme/issues')).text()
  const issueId = found(/href="\/acme\/issues\/(\d+)[?"]/.exec(list)?.[1], 'the issue')
  const event = await (await as('owner').get(`/acme/issues/${issueId}/events/${sent.eventId}`)).text()
  const params: Record<string, string> = {
    ...sent,
    issueId,
    attachment: found(/\/attachments\/([\w-]+)"/.exec(event)?.[1], 'the attachment'),
    ...{
      ruleId: '1',
      incidentId: '1',
      slug: 'web',
      version: 'walked%401.0.0',
      pattern: 'walked',
      path: 'nothing',
      project: 'web',
      token: 'invented',
      provider: 'nothing',
      line: `1-${'a'.repeat(32)}`,
      format: 'speedscope',
    },
    ...{
      issue: issueId,
      rule: '1',
      detector: '1',
      event: sent.eventId,
      key: 'level',
      note: missingId,
      shortId: 'WEB-1',
      trace: sent.traceId,
      replay: sent.replayId,
      item: sent.spanId,
      channelId: await addChannel(hydrant),
      erasureId: missingId,
      token: 'unsigned.link',
    },
  }
  const rule = { org: 'acme', name: 'walked', kind: 'metric', metricOf: 'errors', metricCritical: '9' }
  await as('owner').call('/acme/alerts/rules/new', actionId('submitRule'), rule)
  await openIncident(hydrant)
  const tokens = await createTokens(hydrant)
  return {
    hydrant,
    setup,
    issueId,
    as,
    token: scope => found(tokens.get(scope), scope),
    address(pattern, org = 'acme') {
      const path = pattern.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) =>
        name === 'org' ? org : found(params[name], `[${name}] of ${pattern}`),
      )
      return /^\/api\/(?!0)/.test(path) ? `${path}?org=${org}` : path
    },
  }
}

/** A metric would need minutes to open one. */
async function openIncident({ dataDir }: Hydrant): Promise<void> {
  const control = openControl({ dataDir })
  await control.db
    .insertInto('incident')
    .values({
      ...{ organization_id: 1, project_id: 1, detector_id: null, rule_id: null, name: 'walked', severity: 'critical' },
      ...{ opened_at: Date.now(), closed_at: null, peak: null, reason: 'walked', metric: '' },
    })
    .execute()
  await control.close()
}

export function actionId(name: string): string {
  return found(listActions().find(action => action.name.endsWith(`#${name}`))?.id, name)
}

function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the world has no ${name}`)
  return value
}

async function tryWrongSetupCode(hydrant: Hydrant): Promise<AccessWorld['setup']> {
  const code = new URL(await hydrant.setupUrl()).searchParams.get('code') ?? ''
  const visitor = createVisitor(hydrant.url)
  const wrong = [...code].reverse().join('')
  const answer = await visitor.call('/setup', actionId('submitSetup'), setupFields(wrong))
  const refusal = await answer.text()
  return { code, refusal, statusAfter: (await visitor.get('/setup')).status }
}

export const setupFields = (code: string) => ({
  ...{ code, name: 'Mallory', email: 'mallory@example.com', password: 'a long password' },
  ...{ organization: 'Taken', project: 'taken' },
})

async function sendTelemetry(dsn: string) {
  const event = { release: 'walked@1.0.0', exception: { values: [{ type: 'Error', value: 'walked' }] } }
  const eventId = await postEnvelope(dsn, event, ['a file'])
  const traceId = 'c'.repeat(32)
  const times = { startMs: 0, durationMs: 5, isSegment: true }
  const attributes = { 'http.route': '/walked', 'http.request.method': 'GET' }
  const spans = [{ id: 7, name: 'GET /walked', op: 'http.server', ...times, attributes }]
  await sendSpans(recipientOf(dsn), { traceId, beganAt: Date.now() - 60_000, spans })
  const replayId = 'd'.repeat(32)
  await sendReplay(dsn, { replayId, traceId })
  return { eventId, traceId, spanId: hexId(7), replayId }
}

async function addChannel(hydrant: Hydrant): Promise<string> {
  const control = openControl({ dataDir: hydrant.dataDir })
  const organization = await control.db
    .selectFrom('organization')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const settings = { to: 'members' }
  const created = await createChannel(
    { db: control.db, actor: 'test', now: Date.now },
    {
      ...{ organizationId: organization.id, projectId: null, name: 'walk', kind: 'email', settings, ownerUserId: null },
      ...{ installationSecret: 'x', checkUrl: () => null },
    },
  )
  await control.close()
  if (!created.ok) throw new Error(created.code)
  return String(created.id)
}

/** One token per scope, and one of the other organization that has them all. */
async function createTokens(hydrant: Hydrant): Promise<Map<string, string>> {
  const control = openControl({ dataDir: hydrant.dataDir })
  const create = async (slug: string, scopes: string[]): Promise<string> => {
    const { id } = await control.db
      .selectFrom('organization')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
    const given = { organizationId: id, name: 'walk', publicUrl: hydrant.url, scopes }
    const created = await createAuthToken({ db: control.db, actor: 'test', now: Date.now }, given)
    if (!created.ok) throw new Error(created.code)
    return created.token
  }
  const tokens = new Map<string, string>()
  for (const scope of Object.keys(includedScopes)) tokens.set(scope, await create('acme', [scope]))
  tokens.set('stranger', await create('other', Object.keys(includedScopes)))
  await control.close()
  return tokens
}
