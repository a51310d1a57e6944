import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { longTest } from '../long.ts'
import { until } from '../start-hydrant.ts'

const script = join(import.meta.dirname, 'claim-folder.ts')
const node = [process.execPath, '--disable-warning=ExperimentalWarning', script] as const
const rounds = Number(process.env.HYDRANT_FAULT_ROUNDS ?? 3)

type Claimant = { child: ChildProcess; said(): string; go(): void; end(signal?: NodeJS.Signals): Promise<void> }

let dataDir: string
let claimants: Claimant[] = []
beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'hydrant-claim-')), 'data')
})
afterEach(async () => {
  for (const claimant of claimants) await claimant.end()
  claimants = []
  await rm(join(dataDir, '..'), { recursive: true, force: true })
})

async function prepare(command: readonly string[] = node): Promise<Claimant> {
  const [file = '', ...args] = [...command, dataDir]
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let words = ''
  child.stdout.on('data', chunk => (words += chunk))
  const claimant: Claimant = {
    child,
    said: () => words.replace(/^ready \d+\n/, ''),
    go: () => child.stdin.write('go\n'),
    end: async (signal = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill(signal)
      await ended
    },
  }
  claimants.push(claimant)
  await until(() => words.includes('ready'))
  return claimant
}

async function claim(command?: readonly string[]): Promise<Claimant> {
  const claimant = await prepare(command)
  claimant.go()
  await until(() => claimant.said().includes('\n'))
  return claimant
}

longTest('only one of two processes can claim a data folder at the same time', async () => {
  const outcomes: string[] = []
  for (let round = 0; round < rounds; round++) {
    const both = await Promise.all([prepare(), prepare()])
    for (const one of both) one.go()
    for (const one of both) await until(() => one.said().includes('\n'))
    outcomes.push(
      both
        .map(one => one.said().slice(0, 7))
        .sort()
        .join(),
    )
    for (const one of both) await one.end()
  }
  expect(outcomes).toEqual(outcomes.map(() => 'claimed,refused'))
})

test('a stopped process keeps its claim on the folder, a killed one does not', async () => {
  const first = await claim()
  first.child.kill('SIGSTOP')
  const second = await claim()
  expect(second.said()).toContain(
    `already running on ${dataDir} (process ${first.child.pid} on host ${hostname()}, boot id`,
  )
  first.child.kill('SIGCONT')
  await first.end()
  expect((await claim()).said()).toBe('claimed\n')
})

test('the process id file of an earlier Hydrant never blocks a start', async () => {
  await mkdir(join(dataDir, 'run'), { recursive: true })
  const alive = { pid: process.pid, host: hostname(), bootId: 'x' }
  await writeFile(join(dataDir, 'run', 'holder.json'), JSON.stringify(alive))
  await writeFile(join(dataDir, 'run', 'hydrant.pid'), `${process.pid} 0`)
  expect((await claim()).said()).toBe('claimed\n')
})

test.skipIf(!existsSync('/proc/self/stat'))(
  'a dead process that nobody has waited for does not block a start',
  async () => {
    // The shell becomes a program that never waits, so its first child stays a zombie.
    const holder = ['sh', '-c', `"$0" "$@" & exec sleep 600`, ...node]
    const child = spawn(holder[0] ?? '', [...holder.slice(1), dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
    try {
      let words = ''
      child.stdout.on('data', chunk => (words += chunk))
      // A background process of a shell reads nothing: end of input is as good as a line.
      await until(() => words.includes('claimed'))
      const found = /ready (\d+)/.exec(words)?.[1] ?? ''
      process.kill(Number(found), 'SIGKILL')
      await until(() => / Z /.test(readFileSync(`/proc/${found}/stat`, 'utf8')))
      expect((await claim()).said()).toBe('claimed\n')
    } finally {
      child.kill('SIGKILL')
    }
  },
)

const unshare = ['unshare', '--pid', '--fork', '--mount-proc']
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0

test.skipIf(!canUnshare)(
  'a process in another process namespace is refused, as a second container would be',
  async () => {
    expect((await claim()).said()).toBe('claimed\n')
    const inside = await claim([...unshare, '--kill-child', ...node])
    expect(inside.said()).toMatch(/^refused: Hydrant is already running on /)
  },
)
