import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningProgram, runProgram } from './run-program.ts'

/** After SIGTERM it waits for the message `end`. With the file `broken` beside it, it fails to load. */
const text = `
import { existsSync } from 'node:fs'
if (existsSync(new URL('broken', import.meta.url))) process.exit(1)
process.on('message', message => {
  if (message.type === 'load') process.send({ type: 'loaded' })
  if (message.type === 'go') process.send({ type: 'ready' })
  if (message.type === 'end') process.send({ type: 'stopped' }, () => process.exit(0))
})
process.on('SIGTERM', () => process.send({ type: 'stopping' }))
`

let folder: string
let launched: ChildProcess[]
let events: string[]
let program: RunningProgram | null
let startProgram: () => RunningProgram
/** Resolves when the event has happened that often. */
let whenever: (event: string, times?: number) => Promise<void>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hydrant-program-'))
  writeFileSync(join(folder, 'program.mjs'), text)
  launched = []
  events = []
  program = null
  const waiting = new Set<() => void>()
  const count = (event: string) => events.filter(one => one === event).length
  whenever = (event, times = 1) =>
    new Promise(resolve => {
      const check = () => {
        if (count(event) >= times) resolve()
      }
      waiting.add(check)
      check()
    })
  const note = (event: string) => {
    events.push(event)
    for (const check of waiting) check()
  }
  startProgram = () =>
    runProgram({
      name: 'program',
      log: pino({ level: 'silent' }),
      launch: () => {
        const child = fork(join(folder, 'program.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
        launched.push(child)
        child.on('message', ({ type }: { type: string }) => note(type))
        return child
      },
      messages: { loaded: 'loaded', ready: 'ready', stopped: 'stopped' },
      onStart: () => note('start'),
      onReady: () => note('up'),
      onDown: () => note('down'),
      onBroken: () => note('broken'),
    })
})
afterEach(() => {
  for (const child of launched) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

test('the next one loads while the current one runs, and begins when that has stopped', async () => {
  program = startProgram()
  await whenever('up')
  program?.restart()
  await whenever('stopping')
  expect(events).toEqual(['loaded', 'start', 'ready', 'up', 'loaded', 'down', 'stopping'])
  launched[0]?.send({ type: 'end' })
  await whenever('up', 2)
  expect(events.slice(7)).toEqual(['stopped', 'start', 'ready', 'up'])
})

test('code that does not load leaves the current one running', async () => {
  program = startProgram()
  await whenever('up')
  writeFileSync(join(folder, 'broken'), '')
  launched[1]?.kill('SIGKILL') // the spare has loaded what works
  await expect.poll(() => launched.map(isRunning)).toEqual([true, false])
  program?.restart()
  await expect.poll(() => program?.isBroken).toBe(true)
  expect(launched.map(isRunning)).toEqual([true, false, false])
  rmSync(join(folder, 'broken'))
  program?.restart()
  await whenever('stopping')
  launched[0]?.send({ type: 'end' })
  await whenever('up', 2)
  expect(program?.isBroken).toBe(false)
})

test('a spare that ends by itself is replaced', async () => {
  program = startProgram()
  await whenever('up')
  await expect.poll(() => launched.length).toBe(2)
  launched[1]?.kill('SIGKILL')
  await expect.poll(() => launched.map(isRunning)).toEqual([true, false])
  program.restart()
  await whenever('stopping')
  launched[0]?.send({ type: 'end' })
  await whenever('up', 2)
  expect(program.isBroken).toBe(false)
})

test('a spare begins at the next restart, unless it has loaded what was edited', async () => {
  program = startProgram()
  await whenever('up')
  await expect.poll(() => launched.length).toBe(2)
  program.restart()
  await whenever('stopping')
  launched[0]?.send({ type: 'end' })
  await whenever('up', 2)
  await expect.poll(() => launched.length).toBe(3)
  program.restart({ isInSpare: true })
  await whenever('stopping', 2)
  launched[1]?.send({ type: 'end' })
  await whenever('up', 3)
  await expect.poll(() => launched.length).toBe(5)
  await expect.poll(() => launched.map(isRunning)).toEqual([false, false, false, true, true])
  const stopped = program.stop()
  await whenever('stopping', 3)
  launched[3]?.send({ type: 'end' })
  await stopped
  await expect.poll(() => launched.filter(isRunning)).toEqual([])
})

test('stopping during a restart starts nothing', async () => {
  program = startProgram()
  await whenever('up')
  program?.restart()
  await whenever('stopping')
  const stopped = program?.stop()
  launched[0]?.send({ type: 'end' })
  await stopped
  await Promise.all(launched.filter(isRunning).map(child => new Promise(resolve => child.once('exit', resolve))))
  expect(launched).toHaveLength(2) // the second one is the spare
  expect(events.filter(event => event === 'start')).toHaveLength(1)
})
