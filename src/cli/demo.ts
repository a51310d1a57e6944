import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { loadConfig, readVariable, replaceVariables } from '#config.ts'
import { provision } from '#domain/projects/provision.ts'
import { createLoginLink, linkMinutes } from '#domain/sign-in/login-link.ts'
import { startEngine } from '#engine/start-engine.ts'
import { StartRefusal } from '#lib/start-refusal.ts'
import { loadSecret } from '#store/control/secret.ts'
import { claimDataFolder } from '#supervisor/data-folder.ts'
import { openPort } from '#supervisor/open-port.ts'
import { runMain } from '#supervisor/run-main.ts'
import { startWeb } from '#supervisor/start-web.ts'
import type { Command, Terminal } from './command.ts'
import { findPort } from './demo/find-port.ts'
import { parseOptions } from './parse-options.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
import { withControl } from './with-control.ts'

const usualPort = 8000
const shop = { organization: 'demo', project: 'shop' }
const owner = { email: 'owner@example.com', name: 'Demo' }
const readyTimeoutMs = 120_000

export const demo: Command = {
  help: `Usage: hydrant demo

Runs Hydrant with sample data of a small shop and prints a link that signs you in. It listens on this machine only, at
http://localhost:${usualPort} or on a free port. Its data is in a temporary folder and is deleted when you press Ctrl-C.
Other settings than PORT and HYDRANT_LOG_LEVEL are ignored.`,

  async run(args, terminal) {
    const parsed = parseOptions(args, {})
    if (!parsed.ok) {
      terminal.printError(`${parsed.message} See hydrant demo --help.`)
      return 2
    }
    const temporary = attemptFolder(terminal)
    if (temporary === null) return 1
    const { path: folder, remove } = temporary
    process.once('exit', remove)
    const stopping = stopOnSignal()
    const port = await findPort(Number(readVariable('PORT')) || usualPort)
    replaceVariables({
      PORT: String(port),
      HYDRANT_HOST: '127.0.0.1',
      HYDRANT_DATA_DIR: folder,
      HYDRANT_SELF_REPORT: 'off',
      HYDRANT_LOG_LEVEL: readVariable('HYDRANT_LOG_LEVEL') ?? 'error',
    })
    terminal.print('Starting Hydrant with sample data. This takes half a minute.')
    if ((await createShop(terminal)) !== 0) return 1
    await runMain({ claimFolder: claimDataFolder, startWeb, startEngine, openPort, greet: async () => undefined })
    try {
      await whenReady(port, stopping) // a seed that finds no engine would start a second one on this folder
      await seed(stopping)
      if (!stopping.aborted) await printLink(terminal, folder)
    } catch (error) {
      if (stopping.aborted) return 0
      terminal.printError(error instanceof Error ? error.message : String(error))
      process.exit(1)
    }
    return 0
  },
}

function attemptFolder(terminal: Terminal): TemporaryFolder | null {
  try {
    return makeTemporaryFolder('hydrant-demo-')
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error
    terminal.printError(error.message)
    return null
  }
}

/** Main stops in order when it serves. Before that there is nothing to stop, and the process must still delete its data. */
function stopOnSignal(): AbortSignal {
  const stopping = new AbortController()
  process.once('SIGHUP', () => process.kill(process.pid, 'SIGTERM')) // the terminal was closed
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      stopping.abort()
      if (process.listenerCount(signal) === 1) process.exit(130)
    })
  return stopping.signal
}

const createShop = (terminal: Terminal): Promise<number> =>
  withControl(terminal, async (context, config) => {
    const result = await provision(context, {
      organizationSlug: shop.organization,
      owner: { ...owner, password: randomBytes(18).toString('base64url') },
      project: { slug: shop.project, platform: 'javascript-nextjs' },
      publicUrl: config.publicUrl,
      installationSecret: loadSecret(config),
    })
    if (result.ok) return 0
    terminal.printError(`The demo could not be created: ${result.code}.`)
    return 1
  })

/** In a separate process, so that pages respond meanwhile. */
function seed(stopping: AbortSignal): Promise<void> {
  const program = join(import.meta.dirname, 'hydrant.ts')
  const args = ['seed', '--quick', '--org', shop.organization, '--project', shop.project]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    detached: true, // Ctrl-C reaches only this process
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  stopping.addEventListener('abort', end)
  const words: Buffer[] = []
  child.stderr.on('data', chunk => words.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      process.off('exit', end)
      if (code === 0) resolve()
      else reject(new Error(`Sample data could not be written.\n${Buffer.concat(words)}`))
    })
  })
}

async function whenReady(port: number, stopping: AbortSignal): Promise<void> {
  for (const giveUpMs = performance.now() + readyTimeoutMs; performance.now() < giveUpMs; ) {
    stopping.throwIfAborted()
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    // A part that is still starting has a line.
    if (response?.ok && !/^(?:engine|web):/m.test(await response.text())) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('Hydrant did not start in time. Set HYDRANT_LOG_LEVEL=info to see why.')
}

const printLink = (terminal: Terminal, folder: string): Promise<number> =>
  withControl(terminal, async context => {
    const link = await createLoginLink(context, { email: owner.email, resetsTwoFactor: false })
    if (!link.ok) throw new Error('The owner of the demo is gone.')
    const { publicUrl } = loadConfig()
    terminal.print(`
  Open ${publicUrl}${link.path}
  The link signs you in once, within ${linkMinutes} minutes. For another one:
  HYDRANT_DATA_DIR=${folder} HYDRANT_URL=${publicUrl} npm run hydrant -- login-link ${owner.email}

  Press Ctrl-C to stop and to delete the data.
`)
    return 0
  })
