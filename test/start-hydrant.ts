/** Starts a real Hydrant in a folder of its own, as a user would, and controls it from outside. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Provisioned, provisionFor } from './provision.ts'
import { canRunHere, runCliHere } from './run-cli-here.ts'
import { conditionMs, waitAtLeast } from './wait-limits.ts'

export const root = join(import.meta.dirname, '..')
const flags = ['--disable-warning=ExperimentalWarning']

export type { Provisioned }
export type Hydrant = {
  url: string
  dataDir: string
  env: NodeJS.ProcessEnv
  readonly pid: number
  output(): string
  cli(...args: string[]): Promise<string>
  /** As `hydrant init` does, with its flags. */
  init(...flags: string[]): Promise<Provisioned>
  metrics(): Promise<Map<string, number>>
  /** The link with the one-time code that is printed at the first start. */
  setupUrl(): Promise<string>
  /** Resolves when everything accepted is digested. */
  drained(): Promise<void>
  /** Resolves when the process has ended, with its exit code. */
  kill(signal?: NodeJS.Signals): Promise<number | null>
  start(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  env?: Record<string, string>
  dataDir?: string
  /** The folder of the program, if it is not this one. */
  from?: string
  /** Of the public URL. Browsers have no passkeys for an address. */
  hostname?: '127.0.0.1' | 'localhost'
}

export async function startHydrant(options: Options = {}): Promise<Hydrant> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'hydrant-')))
  const from = options.from ?? root
  const port = await freePort()
  const url = `http://${options.hostname ?? '127.0.0.1'}:${port}`
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    HYDRANT_URL: url,
    HYDRANT_DATA_DIR: dataDir,
    HYDRANT_SELF_REPORT: 'off',
    // Tests and benchmarks send in seconds what a key sends in hours.
    HYDRANT_SPIKE_PROTECTION: 'off',
    HYDRANT_NEW_ISSUES_MAX: '0',
    HYDRANT_NEW_FATAL_ISSUES_MAX: '0',
    ...options.env,
  }
  let child: ChildProcess | null = null
  let words = ''

  async function start(): Promise<void> {
    const begun = spawn(process.execPath, [...flags, join(from, 'src/main.ts')], {
      cwd: from,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [begun.stdout, begun.stderr]) stream.on('data', chunk => (words += chunk))
    child = begun
    await until(async () => {
      if (begun.exitCode !== null) throw new Error(`Hydrant ended with ${begun.exitCode}:\n${words.slice(-4000)}`)
      return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200
    }, waitAtLeast(startLimitMs))
  }

  async function metrics(): Promise<Map<string, number>> {
    const lines = await readText(`${url}/metrics`)
    return new Map(
      lines
        .split('\n')
        .filter(line => line && !line.startsWith('#'))
        .map(line => {
          const at = line.lastIndexOf(' ')
          return [line.slice(0, at), Number(line.slice(at + 1))]
        }),
    )
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const dying = child
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return dying?.exitCode ?? null
    const ended = new Promise<number | null>(resolve => dying.once('exit', resolve))
    dying.kill(signal)
    return ended
  }

  async function cli(...args: string[]): Promise<string> {
    if (canRunHere(args, env)) return runCliHere(args, env)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, join(root, 'src/cli/hydrant.ts'), ...args],
      { cwd: root, env },
    )
    return stdout
  }

  await start()
  return {
    url,
    dataDir,
    env,
    get pid() {
      return child?.pid ?? 0
    },
    output: () => words,
    cli,
    init: (...flags) => provisionFor(env, flags),
    metrics,
    async setupUrl() {
      const link = () => /http\S+\/setup\?code=[0-9a-z-]+/.exec(words)?.[0]
      await until(() => link() !== undefined)
      return link() ?? ''
    },
    drained: () => untilEmpty(async () => (await metrics()).get('hydrant_inbox_backlog')),
    kill,
    start,
    stop: async () => {
      await kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The first start compiles all modules, and the WebAssembly build of the engine starts slowly. */
const startLimitMs = 60_000
/** A batch with floods or large maps takes this long; a million records take many batches. */
const batchLimitMs = 30_000

const pauseMs = { least: 50, most: 1_000 }

/** Waits for a condition. Between two checks it pauses as long as the last one took: a page that is loaded again and again keeps both cores busy. */
export async function until(isTrue: () => Promise<boolean> | boolean, timeoutMs = conditionMs()): Promise<void> {
  const begun = performance.now()
  for (;;) {
    const checkedAt = performance.now()
    if (await isTrue()) return
    const now = performance.now()
    if (now - begun > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain`)
    const waitMs = Math.min(Math.max(now - checkedAt, pauseMs.least), pauseMs.most)
    await new Promise(resolve => setTimeout(resolve, waitMs))
  }
}

/** Waits as long as the count shrinks. */
async function untilEmpty(count: () => Promise<number | undefined>): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  while (least > 0)
    await until(async () => {
      const now = await count()
      // NaN until Hydrant has counted what an earlier run left.
      if (now === undefined || !(now < least)) return false
      least = now
      return true
    }, waitAtLeast(batchLimitMs))
}

/** Over a connection of its own: one that a busy test has left idle may just be closing. */
function readText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, response => text(response).then(resolve, reject)).on('error', reject)
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
