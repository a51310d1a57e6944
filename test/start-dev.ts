/** Starts a real `npm run dev` and controls it from outside. */
import { execFileSync, spawn } from 'node:child_process'
import { freePort, until } from './start-hydrant.ts'
import { waitAtLeast } from './wait-limits.ts'

export type Dev = {
  url: string
  /** Of npm or the program, which leads a process group, as in a terminal. */
  pid: number
  output(): string
  /** npm and everything that was seen below it. */
  processes(): Process[]
  /** Resolves when npm and everything that it has started have ended. */
  ended(): Promise<void>
  stop(): Promise<void>
}

export type Process = { pid: number; parent: number; command: string }

type Options = {
  folder: string
  /** Started instead of npm, without the settings of bin/dev.mjs. */
  program?: string
  args?: string[]
  env?: Record<string, string>
}

/** The first start writes sample data. */
const startLimitMs = 120_000
const stopLimitMs = 20_000

export async function startDev({ folder, program, args = [], env = {} }: Options): Promise<Dev> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const [command, first] = program
    ? [process.execPath, ['--disable-warning=ExperimentalWarning', program]]
    : ['npm', ['run', 'dev', '--']]
  const child = spawn(command, [...first, ...args], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), HYDRANT_URL: url, HYDRANT_SELF_REPORT: 'off', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pid = child.pid ?? 0
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
  const seen = new Map<number, Process>()
  const processes = () => {
    for (const one of treeOf(pid, listProcesses())) seen.set(one.pid, one)
    return [...seen.values()]
  }
  const hasEnded = () => {
    const running = new Set(listProcesses().map(one => one.pid))
    return processes().every(one => !running.has(one.pid))
  }
  const dev: Dev = {
    url,
    pid,
    output: () => words,
    processes,
    ended: () => until(hasEnded, waitAtLeast(stopLimitMs)),
    stop: async () => {
      const running = new Set(listProcesses().map(one => one.pid))
      const first = processes().find(one => running.has(one.pid)) // it ends the others
      if (first) process.kill(first.pid, 'SIGTERM')
      await dev.ended()
    },
  }
  try {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`npm run dev ended with ${child.exitCode}:\n${words.slice(-4000)}`)
      return words.includes('Hydrant is running at')
    }, waitAtLeast(startLimitMs))
  } catch (error) {
    await dev.stop()
    throw new Error(`npm run dev did not start:\n${words.slice(-4000)}`, { cause: error })
  }
  processes()
  return dev
}

/** Without those that have ended and whose parent has not noticed. */
function listProcesses(): Process[] {
  const columns = ['pid', 'ppid', 'stat', 'args'].flatMap(name => ['-o', `${name}=`])
  const lines = execFileSync('ps', ['-A', ...columns], { encoding: 'utf8' }).split('\n')
  return lines.flatMap(line => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

function treeOf(rootPid: number, all: readonly Process[]): Process[] {
  const tree = all.filter(({ pid }) => pid === rootPid)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}
