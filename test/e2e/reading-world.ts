/** A running Hydrant with recorded traffic in two organizations, and Sentry's own tools that read from it. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { openControl } from '#store/control/open-control.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { listCaptures } from '../read-capture.ts'
import { sendRequest } from '../send-request.ts'
import { type Hydrant, type Provisioned, root, until } from '../start-hydrant.ts'
import { aimCapture, type Recipient, replayCapture } from './replay-capture.ts'

const scenarios = [
  'node-error',
  'node-handled-cause',
  'node-tracing',
  'node-logs',
  'node-attachment',
  'node-feedback',
  'next-server-component-error',
]
const run = promisify(execFile)

type ListedIssue = { id: string; shortId: string; title: string }
export type ReadingWorld = {
  hydrant: Hydrant
  /** Reads and changes issues of acme. */
  token: string
  strangerToken: string
  makeToken(slug: string, scopes?: string[]): Promise<string>
  get(path: string, bearer?: string): Promise<{ status: number; link: string; body: unknown }>
  put(path: string, body: unknown): Promise<{ status: number; body: unknown }>
  listIssues(): Promise<ListedIssue[]>
  /** The output of the tool, prefixed with FAILED if it failed. */
  sentry(...args: string[]): Promise<string>
  sentryCli(...args: string[]): Promise<string>
  stop(): Promise<void>
}

export async function startReadingWorld(): Promise<ReadingWorld> {
  const hydrant = await borrowHydrant()
  const home = await mkdtemp(join(tmpdir(), 'reading-api-'))
  const init = (org: string, project: string) =>
    hydrant.init('--org', org, '--project', project, '--email', `owner@${org}.example`, '--password', 'correct horse')
  await replay(await init('acme', 'web'), hydrant.url, scenarios)
  await replay(await init('other', 'secret'), hydrant.url, ['node-error'])
  await hydrant.drained()
  const makeToken = (slug: string, scopes = ['org:read', 'event:write']) => createToken(hydrant, slug, scopes)
  const token = await makeToken('acme')
  const strangerToken = await makeToken('other')

  async function get(path: string, bearer = token): Promise<{ status: number; link: string; body: unknown }> {
    const answer = await fetch(`${hydrant.url}/api/0/${path}`, { headers: { Authorization: `Bearer ${bearer}` } })
    return { status: answer.status, link: answer.headers.get('link') ?? '', body: await answer.json() }
  }

  async function put(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${hydrant.url}/api/0/${path}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  /** Only URL and token are set; the folder is empty, so that tools can't guess a project from files. */
  const toolEnv = {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOME: home,
    SENTRY_URL: hydrant.url,
    SENTRY_AUTH_TOKEN: token,
    SENTRY_CLI_NO_TELEMETRY: '1',
    NO_COLOR: '1',
  } as const

  async function tool(program: string, args: string[]): Promise<string> {
    try {
      const path = join(root, 'node_modules', program)
      return (await run(process.execPath, [path, ...args], { cwd: home, env: toolEnv })).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      return `FAILED ${stdout}${stderr}`
    }
  }

  return {
    hydrant,
    token,
    strangerToken,
    makeToken,
    get,
    put,
    listIssues: async () => (await get('organizations/acme/issues/?query=')).body as ListedIssue[],
    sentry: (...args) => tool('sentry/dist/bin.cjs', args),
    sentryCli: (...args) => tool('@sentry/cli/bin/sentry-cli', args),
    stop: async () => {
      await hydrant.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function replay({ dsn, project }: Provisioned, url: string, names: string[]): Promise<void> {
  const to = { url, projectId: project.id, publicKey: new URL(dsn).username }
  const [first = ''] = names.flatMap(listCaptures)
  // A key of another process is known a moment later. Repeated deliveries count once.
  await until(async () => (await replayCapture(first, to)).status === 200)
  for (const capture of names.flatMap(listCaptures)) expect((await replayNow(capture, to)).status).toBe(200)
}

/** Logs have no sent_at to correct their time by, so they would keep the date of the recording. */
function replayNow(capture: string, to: Recipient): Promise<{ status: number }> {
  if (!capture.startsWith('node-logs')) return replayCapture(capture, to)
  const { path, headers, body } = aimCapture(capture, to)
  const text = body.toString('latin1').replaceAll(/"timestamp":\d+\.\d+/g, `"timestamp":${Date.now() / 1_000}`)
  return sendRequest(new URL(path, to.url), headers, Buffer.from(text, 'latin1'))
}

async function createToken(hydrant: Hydrant, slug: string, scopes: string[]): Promise<string> {
  const control = openControl({ dataDir: hydrant.dataDir })
  const { id } = await control.db
    .selectFrom('organization')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  const context = { db: control.db, actor: 'test', now: Date.now }
  const made = await createAuthToken(context, { organizationId: id, name: 'reader', publicUrl: hydrant.url, scopes })
  await control.close()
  if (!made.ok) throw new Error(made.code)
  return made.token
}
