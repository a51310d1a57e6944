/**
 * `npm run dev`: starts the engine, web and main, and starts again what an edit concerns. Next reloads pages and styles by itself.
 * bin/dev.mjs sets the environment.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig, readVariable } from '#config.ts'
import { startEngine } from '#engine/start-engine.ts'
import { openLog } from '#lib/open-log.ts'
import { claimDataFolder, dataPaths } from '#supervisor/data-folder.ts'
import { keepAlive } from '#supervisor/keep-alive.ts'
import { onStopSignal } from '#supervisor/start-messages.ts'
import { readImportGraph } from '../../bin/import-graph.mjs'
import { endWithParent } from './end-with-parent.ts'
import { findSyntaxError } from './find-syntax-error.ts'
import { ensureFirstData } from './first-data.ts'
import { isChanged } from './is-changed.ts'
import { isDevInstallation } from './may-sign-in.ts'
import { type FromMain, isMessage, type ToMain } from './messages.ts'
import { openPublicPort } from './public-port.ts'
import { runProgram } from './run-program.ts'
import { watchSources } from './watch-sources.ts'

endWithParent()

const root = join(import.meta.dirname, '../..')
const inspectPorts = { main: 9229, web: 9230, engine: 9231 }
const { values: flags } = parseArgs({ options: { inspect: { type: 'boolean' }, 'signed-out': { type: 'boolean' } } })

const config = loadConfig()
const paths = dataPaths(config.dataDir)
const log = openLog('dev', config.logLevel)

if (flags.inspect) log.info(inspectPorts, 'inspector ports')

const claim = await claimDataFolder(paths)
if (!claim.ok) exit(claim.reason)
const port = await openPublicPort(config).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  return exit(`Port ${config.port} is taken by another program. Stop that program, or set PORT to a free port.`)
})

let settleFirstMain = (): void => undefined
const firstMain = new Promise<void>(resolve => {
  settleFirstMain = resolve
})
const children: { web: ChildProcess | null; main: ChildProcess | null } = { web: null, main: null }
let isWebBroken = false
const engine =
  config.clickhouseUrl === undefined
    ? keepAlive({
        name: 'engine',
        log,
        start: () =>
          startEngine({
            dataPath: paths.telemetry,
            socketPath: paths.engineSocket,
            log: line => log.warn({ child: 'engine', line }, 'engine output'),
            nodeFlags: flags.inspect ? [`--inspect=127.0.0.1:${inspectPorts.engine}`] : [],
          }),
        onUp: tellMain,
        onDown: tellMain,
      })
    : null

const web = runProgram({
  name: 'web',
  log,
  launch: () => launch('web', [paths.webSocket, ...inspectArgs('web')]),
  messages: { loaded: 'loaded', ready: 'ready' },
  onStart: () => {
    isWebBroken = false
    tellMain()
  },
  onReady: child => {
    children.web = child
    tellMain()
  },
  onDown: () => {
    children.web = null
    tellMain()
  },
  onBroken: () => {
    isWebBroken = true
    tellMain()
  },
})

const main = runProgram({
  name: 'main',
  log,
  launch: () => launch('main', [...inspectArgs('main'), ...(flags['signed-out'] ? ['--signed-out'] : [])]),
  messages: { loaded: 'loaded', ready: 'accepting', stopped: 'stopped' } satisfies Record<string, FromMain['type']>,
  onStart: child => {
    children.main = child
    tellMain()
  },
  onReady: child => {
    port.passTo(socket => child.send({ type: 'connection' } satisfies ToMain, socket))
    settleFirstMain()
  },
  onDown: () => {
    children.main = null
    port.hold()
  },
  onBroken: () => port.refuse('Hydrant’s main process has ended. The terminal of npm run dev shows why.'),
})

function inspectArgs(name: 'main' | 'web'): string[] {
  return flags.inspect ? [`--inspect-port=${inspectPorts[name]}`] : []
}

function launch(name: 'main' | 'web', args: readonly string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, `dev-${name}.ts`), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true, // Ctrl-C reaches only this process, which stops the others in order
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', message => {
    if (name === 'web') sendToMain({ type: 'from_web', message })
    else passToWeb(message)
  })
  return child
}

function sendToMain(message: ToMain): void {
  if (children.main?.connected) children.main.send(message)
}

function passToWeb(message: unknown): void {
  if (!isMessage(message) || message.type !== 'to_web') return
  const { message: inner } = message as Extract<FromMain, { type: 'to_web' }>
  if (children.web?.connected) children.web.send(inner)
}

function tellMain(): void {
  const pids = { web: children.web?.pid ?? null, engine: engine?.current?.pid ?? null }
  sendToMain({ type: 'children', ...pids, isWebBroken })
}

const entries = { main: 'src/dev/dev-main.ts', web: 'src/dev/dev-web.ts', engine: 'src/engine/engine-process.ts' }
const readGraphs = () => ({
  main: readImportGraph(root, [entries.main]),
  web: readImportGraph(root, [entries.web]),
  engine: readImportGraph(root, [entries.engine]),
})
let graphs = readGraphs()

function onEdit(edited: ReadonlySet<string>): void {
  const changed = [...edited]
  const concerned = (name: keyof typeof graphs) => changed.some(path => isChanged(graphs[name], path))
  const hasOther = changed.some(path => extname(path) === '.sql')
  const restarts = {
    main: concerned('main') || hasOther || main.isBroken,
    web: concerned('web') || changed.includes(join(root, 'next.config.ts')) || web.isBroken,
    engine: concerned('engine'),
  }
  const names = Object.entries(restarts).flatMap(([name, isDue]) => (isDue ? [name] : []))
  if (names.length === 0) return
  const fault = findSyntaxError(changed)
  if (fault !== null) {
    log.error(`${fault}\nThe servers run as before this edit, and wait for the next.`)
    return
  }
  log.info({ files: changed.map(path => path.slice(root.length + 1)) }, `starting ${names.join(', ')} again`)
  if (restarts.engine) void engine?.current?.stop()
  const isInSpare = changed.some(path => path.startsWith(join(root, 'src/dev/')))
  if (restarts.web) web.restart({ isInSpare })
  if (restarts.main) main.restart({ isInSpare })
  graphs = readGraphs() // while they load
}
const watcher = watchSources(root, { folder: 'src', file: 'next.config.ts' }, onEdit)

const stopping = new AbortController()

/** Prints the address when there is something to see. */
async function greet(signal: AbortSignal): Promise<void> {
  await Promise.race([Promise.all([firstMain, engine?.firstUp]), once(signal, 'abort')])
  if (!isDevInstallation({ ...config, nodeEnv: readVariable('NODE_ENV'), root })) {
    log.warn(
      'The settings name another database, address or proxy, so there is no sample data and no automatic sign-in.',
    )
    return sayWhere(signal)
  }
  await ensureFirstData({ dataDir: config.dataDir, say: line => log.info(line), signal }).catch((error: Error) => {
    if (signal.aborted) return
    log.error(`The sample data could not be written. The next start tries again.\n${error.message}`)
  })
  sayWhere(signal)
}

function sayWhere(signal: AbortSignal): void {
  if (signal.aborted) return
  process.stdout.write(`\n  Hydrant is running at ${config.publicUrl}\n  Press Ctrl-C to stop.\n\n`)
}
const greeted = greet(stopping.signal)

async function stop(): Promise<void> {
  watcher.stop()
  stopping.abort()
  await greeted // the sample data needs the engine until its command has ended
  await main.stop()
  await Promise.all([web.stop(), engine?.stop()])
  if (claim.ok) await claim.release()
}
onStopSignal({ log, stop })
process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM')) // the terminal was closed

function exit(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
