/**
 * Makes a data folder with something of everything in it, as this version writes it, and stops in the middle of a batch.
 *   node test/upgrade/record-folder.ts [sqlite|postgres]
 * Run it at a version that was released: `test/fixtures/upgrade/<version>/` then shows that every later one takes it over.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { startEngine } from '#engine/start-engine.ts'
import { openInbox } from '#inbox/open-inbox.ts'
import { openControl } from '#store/control/open-control.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { dataPaths } from '#supervisor/data-folder.ts'
import { startPostgres } from '../contract/start-postgres.ts'
import { asAda } from '../e2e/ada.ts'
import { postEnvelope } from '../e2e/post-envelope.ts'
import { replayCapture } from '../e2e/replay-capture.ts'
import { live } from '../faults/live.ts'
import { makeBundle } from '../make-bundle.ts'
import { readBuiltCart } from '../read-built-cart.ts'
import { listCaptures } from '../read-capture.ts'
import { type Provisioned, root, startHydrant, until } from '../start-hydrant.ts'
import { dumpDatabase } from './dump-database.ts'
import { type RecordedFolder, readSurface } from './read-surface.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const kind = process.argv[2] === 'postgres' ? 'postgres' : 'sqlite'
const fixture = join(root, 'test/fixtures/upgrade', version)
/** The secret that tokens and sessions of the folder are made with: it opens nothing but this fixture. */
const secret = 'the secret of a folder that anyone may open'

const scenarios = [
  'node-error',
  'node-handled-cause',
  'node-unhandled',
  'node-tracing',
  'node-logs',
  'node-attachment',
  'node-feedback',
  'node-checkin',
  'node-sessions',
  'node-metrics',
  'next-server-component-error',
  'next-hydration',
  'next-pageload-param',
  'next-replay',
  'next-profiling',
]

const cart = readBuiltCart('vite', 'https://shop.example/cart.js')

const postgres = kind === 'postgres' ? await startPostgres() : null
const databaseUrl = await postgres?.createDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-upgrade-'))
const hydrant = await startHydrant({
  dataDir,
  env: { HYDRANT_SECRET: secret, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
})
const web = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
const stranger = await hydrant.init('--org', 'other', '--project', 'secret', ...asAda)
await hydrant.cli(
  'user',
  'add',
  '--org',
  'acme',
  '--email',
  'grace@example.com',
  '--role',
  'member',
  '--password',
  'correct horse',
)
const token = await makeToken()
const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${hydrant.url}/api/0/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

await call('POST', 'organizations/acme/releases/', {
  version: 'shop@1.0.0',
  projects: ['web'],
  commits: [
    {
      id: 'a'.repeat(40),
      repository: 'acme/shop',
      author_name: 'Grace',
      author_email: 'grace@example.com',
      message: 'Sell hats',
      timestamp: '2026-11-01T10:00:00Z',
      patch_set: [{ path: 'src/hats.ts', type: 'A' }],
    },
  ],
})
await call('POST', 'organizations/acme/releases/shop%401.0.0/deploys/', { environment: 'production' })
await uploadCart()
await replay(web, scenarios)
await replay(stranger, ['node-error'])
await sendMinified('before')
for (const words of ['first', 'second', 'third', 'fourth']) await postEnvelope(web.dsn, errorOf(words))
await hydrant.drained()
await work()
await postEnvelope(web.dsn, errorOf('first')) // resolved before, so this is a regression
await hydrant.drained()
const before = await readSurface({ url: hydrant.url, token })

const trace = 'c'.repeat(32)
const heldId = await postEnvelope(web.dsn, browserErrorOf('d'.repeat(32)))
await hydrant.drained()
await hydrant.kill('SIGTERM')
const sealed = await sealWithoutCommit()

mkdirSync(fixture, { recursive: true })
const about: RecordedFolder = { token, secret, dsn: web.dsn, pending: { held: heldId, sealed }, before }
writeFileSync(join(fixture, `${kind}.json`), `${JSON.stringify(about)}\n`)
rmSync(join(dataDir, 'run'), { recursive: true, force: true })
rmSync(join(dataDir, 'inbox', 'spare.seg'), { force: true })
execFileSync('tar', ['--sort=name', '-C', dataDir, '-czf', join(fixture, `${kind}.tar.gz`), '.'])
if (databaseUrl) writeFileSync(join(fixture, 'postgres.sql.gz'), gzipSync(await dumpDatabase(databaseUrl)))
rmSync(dataDir, { recursive: true })
await postgres?.stop()
process.exit(0)

async function makeToken(): Promise<string> {
  const control = openControl({ dataDir, databaseUrl })
  const { id } = await control.db
    .selectFrom('organization')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const made = await createAuthToken(
    { db: control.db, actor: 'cli', now: Date.now },
    {
      organizationId: id,
      name: 'upgrade',
      publicUrl: hydrant.url,
      scopes: ['org:read', 'event:write', 'project:releases'],
    },
  )
  await control.close()
  if (!made.ok) throw new Error(made.code)
  return made.token
}

async function replay({ dsn, project }: Provisioned, names: string[]): Promise<void> {
  const to = { url: hydrant.url, projectId: project.id, publicKey: new URL(dsn).username }
  for (const capture of names.flatMap(listCaptures))
    await until(async () => (await replayCapture(capture, to)).status === 200)
}

async function uploadCart(): Promise<void> {
  const { minified, map } = cart
  const bytes = makeBundle(
    [
      { path: 'files/cart.js', type: 'minified_source', url: '~/cart.js', content: minified, sourcemap: 'cart.js.map' },
      { path: 'files/cart.js.map', type: 'source_map', url: '~/cart.js.map', content: map },
    ],
    { release: 'shop@1.0.0' },
  )
  const sha1 = createHash('sha1').update(bytes).digest('hex')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), sha1)
  const headers = { Authorization: `Bearer ${web.token}` }
  await fetch(`${hydrant.url}/api/0/organizations/acme/chunk-upload/`, { method: 'POST', body: form, headers })
  const body = JSON.stringify({ checksum: sha1, chunks: [sha1], projects: ['web'], version: 'shop@1.0.0' })
  const address = `${hydrant.url}/api/0/organizations/acme/artifactbundle/assemble/`
  await until(async () => {
    const response = await fetch(address, {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json' },
    })
    return ((await response.json()) as { state: string }).state === 'ok'
  })
}

async function sendMinified(words: string): Promise<string> {
  return postEnvelope(web.dsn, {
    platform: 'javascript',
    release: 'shop@1.0.0',
    exception: {
      values: [{ type: 'RangeError', value: words, stacktrace: { frames: cart.frames } }],
    },
  })
}

function errorOf(words: string) {
  return {
    platform: 'node',
    release: 'shop@1.0.0',
    environment: 'production',
    user: { id: `user of ${words}` },
    transaction: `GET /${words}`,
    exception: {
      values: [
        {
          type: 'Error',
          value: `The ${words} shelf fell`,
          stacktrace: {
            frames: [{ filename: `/app/${words}.js`, function: words, lineno: 7, colno: 3, in_app: true }],
          },
        },
      ],
    },
  }
}

/** Only the server's event explains it, so it is held. */
function browserErrorOf(traceId: string) {
  return {
    platform: 'javascript',
    transaction: '/boom',
    contexts: { trace: { trace_id: traceId, span_id: 'b'.repeat(16) } },
    exception: { values: [{ type: 'Error', value: 'Minified React error #441; visit https://react.dev/errors/441' }] },
  }
}

/** One issue in each state that a member can bring it into. */
async function work(): Promise<void> {
  const listed = (await call('GET', 'organizations/acme/issues/?query=shelf&statsPeriod=24h')) as {
    id: string
    title: string
  }[]
  const idOf = (words: string): string => {
    const found = listed.find(({ title }) => title.includes(words))
    if (!found) throw new Error(`no issue for ${words} in ${JSON.stringify(listed)}`)
    return found.id
  }
  const issue = (words: string) => `organizations/acme/issues/${idOf(words)}/`
  await call('PUT', issue('first'), { status: 'resolved' })
  await call('PUT', issue('second'), { status: 'ignored', ignoreCount: 100 })
  await call('PUT', issue('second'), { priority: 'low', assignedTo: 'ada@example.com' })
  await call('POST', `${issue('second')}notes/`, { text: 'The screws were too short.' })
  await call('PUT', `organizations/acme/issues/?id=${idOf('third')}&id=${idOf('fourth')}`, { merge: 1 })
}

/** A batch whose rows are stored and whose counters are not, with a plan: as if the machine had lost its power there. */
async function sealWithoutCommit(): Promise<string[]> {
  const { telemetry: dataPath, engineSocket: socketPath, inbox: folder } = dataPaths(dataDir)
  const engine = await startEngine({ dataPath, socketPath, log: () => undefined })
  const telemetry = openTelemetry({ kind: 'socket', socketPath })
  const control = openControl({ dataDir, databaseUrl })
  const inbox = await openInbox(folder, () => undefined)
  const ids: string[] = []
  const append = async (event: object): Promise<void> => {
    const event_id = createHash('md5').update(JSON.stringify(event)).digest('hex')
    const lines = [{ event_id }, { type: 'event' }, { event_id, timestamp: Date.now() / 1_000, ...event }]
    const body = Buffer.from(lines.map(line => JSON.stringify(line)).join('\n'))
    const head = {
      projectId: web.project.id,
      keyId: 1,
      receivedAt: Date.now(),
      clientAddress: '127.0.0.1',
      userAgent: '',
    }
    await inbox.append({ head, body })
    ids.push(event_id)
  }
  await append(errorOf('fifth'))
  await append(errorOf('first'))
  await append({ ...errorOf('sixth'), contexts: { trace: { trace_id: trace, span_id: 'a'.repeat(16) } } })
  await append(browserErrorOf(trace))
  const stage = { dataDir, control, telemetry, close: async () => undefined }
  const scene = { projectId: web.project.id, folder, inbox, sent: [] }
  const steps = await live(stage, scene, { fault: { step: 'insert events', mode: 'die after' } })
  if (!steps.includes('insert events') || steps.includes('commit'))
    throw new Error(`it ended after ${steps.join(', ')}`)
  const plans = await control.db.selectFrom('batch_plan').select('plan').execute()
  const held = await control.db.selectFrom('held_event').select('event_id').execute()
  if (plans.length === 0 || held.length !== 1) throw new Error(`plans: ${plans.length}, held: ${held.length}`)
  await inbox.close()
  await control.close()
  await telemetry.close()
  await engine.stop()
  return ids
}
