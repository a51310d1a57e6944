/** Each kind of file in the data folder is damaged between two starts: Hydrant starts or says in one sentence why not, and reports every loss. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { segmentName } from '#inbox/segments.ts'
import { postEvent } from '../e2e/post-event.ts'
import { queryTelemetry } from '../e2e/query-telemetry.ts'
import { freePort, root, startHydrant, until } from '../start-hydrant.ts'
import { idOf } from './envelopes.ts'

const rounds = Number(process.env.HYDRANT_FAULT_ROUNDS ?? 3)
/** Nobody is there: what is accepted waits in the inbox. */
const awayEngine = { CLICKHOUSE_URL: 'http://127.0.0.1:1', HYDRANT_ROLES: 'ingest', HYDRANT_SELF_REPORT: 'off' }
const account = ['--org', 'acme', '--project', 'web', '--email', 'a@example.com', '--password', 'correct horse battery']
const waiting = [1, 2, 3, 4].map(number => idOf(91, number))

let folder: string
let whole: string
let publicKey: string
/** A folder with four events in the first segment of the inbox, as a killed Hydrant leaves it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hydrant-damage-'))
  whole = join(folder, 'whole')
  const hydrant = await startHydrant({ env: awayEngine })
  const { dsn } = await hydrant.init(...account)
  publicKey = new URL(dsn).username
  await until(async () => (await postEvent(dsn, waiting[0] ?? '')) === 200)
  for (const id of waiting.slice(1)) expect(await postEvent(dsn, id)).toBe(200)
  const keys = () => readFile(join(hydrant.dataDir, 'keys.json'), 'utf8').catch(() => '')
  await until(async () => (await keys()).includes(publicKey))
  const seals = () => readFile(join(hydrant.dataDir, 'inbox', 'seals.log'), 'utf8').catch(() => '')
  await until(async () => (await seals()).includes('"seal"'))
  await hydrant.kill('SIGTERM')
  await cp(hydrant.dataDir, whole, { recursive: true })
  await hydrant.stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Damage = (path: string) => Promise<void>
const flip =
  (share: number): Damage =>
  async path => {
    const bytes = await readFile(path)
    const at = Math.floor((bytes.length - 1) * share)
    bytes[at] = (bytes[at] ?? 0) ^ 0x41
    await writeFile(path, bytes)
  }
const cut: Damage = async path => truncate(path, (await readFile(path)).length >> 1)
const empty: Damage = path => writeFile(path, '')
const missing: Damage = path => rm(path)

/** `refuses` where Hydrant must not start; `says` what its log must name. */
type Case = { file: string; name: string; damage: Damage; refuses?: RegExp; says?: RegExp }
const lostControl = /control\.db is missing or empty, but this folder was used before\./
const badControl = /control\.db is damaged\./
const badSecret = /secret, which signs sessions, is damaged\./
const badId = /id, the id of this inbox, is damaged or missing/
const cases: Case[] = [
  { file: 'control.db', name: 'missing', damage: missing, refuses: lostControl },
  { file: 'control.db', name: 'cut', damage: cut, refuses: badControl },
  { file: 'secret', name: 'empty', damage: empty, refuses: badSecret },
  {
    file: 'hydrant.lock',
    name: 'changed',
    damage: path => writeFile(path, Buffer.alloc(4096, 'x')),
    refuses: /hydrant\.lock is damaged\./,
  },
  { file: 'inbox/id', name: 'changed', damage: flip(0.5), refuses: badId }, // no batch is committed, so no cursor knows it
  { file: 'inbox/ends.log', name: 'changed', damage: flip(0.2), says: /inbox\/ends\.log has damaged lines/ },
  { file: 'control.db', name: 'empty', damage: empty, refuses: lostControl },
  { file: 'control.db', name: 'changed', damage: flip(0), refuses: badControl },
  { file: 'secret', name: 'cut', damage: cut, refuses: badSecret },
  { file: 'secret', name: 'missing', damage: missing },
  { file: 'keys.json', name: 'cut', damage: cut },
  { file: 'keys.json', name: 'missing', damage: missing },
  { file: 'hydrant.lock', name: 'missing', damage: missing },
  { file: 'inbox/id', name: 'missing', damage: missing, refuses: badId },
  { file: 'inbox/ends.log', name: 'missing', damage: missing },
  { file: 'inbox/end.hint', name: 'changed', damage: flip(0) },
  { file: 'inbox/end.hint', name: 'missing', damage: missing },
  { file: `inbox/${segmentName(1)}`, name: 'missing', damage: missing },
]

test('Hydrant starts with a damaged file or names it in one sentence', async () => {
  const faults: string[] = []
  for (const { file, name, damage, refuses, says } of cases.slice(0, Math.max(rounds, 6))) {
    const dataDir = join(folder, 'case')
    await cp(whole, dataDir, { recursive: true })
    await damage(join(dataDir, file))
    const { code, status, said } = await tryStart(dataDir)
    const sentences = said.split('\n').filter(line => line !== '' && !line.startsWith('{'))
    const isRefusal = code === 1 && sentences.length === 1 && refuses?.test(sentences[0] ?? '')
    const isSurvived = code === null && status === 200 && (says?.test(said) ?? true)
    if (refuses ? !isRefusal : !isSurvived) faults.push(`${file} ${name}: code ${code}, status ${status}\n${said}`)
    await rm(dataDir, { recursive: true })
  }
  expect(faults).toEqual([])
})

/** Starts, posts an event, and ends. `code` is null when it kept running. */
async function tryStart(dataDir: string): Promise<{ code: number | null; status: number; said: string }> {
  const port = await freePort()
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'src/main.ts')],
    {
      cwd: root,
      env: { ...process.env, ...awayEngine, PORT: String(port), HYDRANT_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (said += chunk))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200
  await until(async () => child.exitCode !== null || (await isReady()))
  const status = await postEvent(`http://${publicKey}@127.0.0.1:${port}/1`, idOf(91, 50))
  child.kill('SIGKILL')
  return { code: await ended, status, said }
}

test('lost records of the inbox are counted, the damaged file is named, and all other records are stored once', async () => {
  const dataDir = join(folder, 'waiting')
  await cp(whole, dataDir, { recursive: true })
  const path = join(dataDir, 'inbox', segmentName(1))
  const bytes = await readFile(path)
  const at = bytes.indexOf('the round was killed')
  expect(at).toBeGreaterThan(0)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
  const hydrant = await startHydrant({ dataDir, env: { HYDRANT_ROLES: 'ingest' } })
  try {
    await hydrant.drained()
    const metrics = await hydrant.metrics()
    expect(metrics.get('hydrant_inbox_damaged_records_total')).toBe(1)
    expect(metrics.get('hydrant_inbox_damaged_files')).toBe(1)
    expect(hydrant.output()).toMatch(/"file":"inbox\/log-0+1\.seg".*file kept in inbox\/damaged/)
    expect(await hydrant.cli('doctor').catch((error: { stdout: string }) => error.stdout)).toContain(segmentName(1))
    const stored = await queryTelemetry(
      dataDir,
      'SELECT toString(event_id) AS id, count() AS rows FROM events GROUP BY id LIMIT 100',
      z.object({ id: z.string(), rows: z.coerce.number() }),
    )
    expect(stored.map(({ rows }) => rows)).toEqual([1, 1, 1])
  } finally {
    await hydrant.stop()
  }
})
