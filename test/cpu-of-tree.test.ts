import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type CpuOfTree, cpuOfTree } from './cpu-of-tree.ts'

const work = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'

function measured(): CpuOfTree {
  const time = cpuOfTree(process.pid)
  if (time === null) throw new Error('this process is not in /proc')
  return time
}

test.runIf(existsSync('/proc/self/stat'))('counts the children of children, running and ended', async () => {
  const before = measured()
  const running = spawn('sh', ['-c', `sh -c '${work}; echo done; read line'; exit 0`])
  await once(running.stdout, 'data')
  const runningMs = measured().runningMs - before.runningMs
  expect(runningMs).toBeGreaterThan(0)

  const ended = once(running, 'exit')
  running.stdin.end()
  await ended
  expect(measured().runningMs).toBeLessThan(before.runningMs + runningMs)
  expect(measured().ownMs - before.ownMs).toBeGreaterThanOrEqual(runningMs)
})

test('a process that does not exist has no time', () => {
  expect(cpuOfTree(2 ** 30)).toBeNull()
})

test('npm test measures the programs that it runs', () => {
  const script = `
    import { runTimed } from './bin/run-timed.mjs'
    console.log(JSON.stringify(await runTimed('sh', ['-c', ${JSON.stringify(`${work}; echo out; exit 3`)}], { output: 'pipe' })))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({
    code: 3,
    words: 'out\n',
    wallMs: expect.any(Number),
    cpuMs: process.platform === 'linux' ? expect.toSatisfy((ms: number) => ms > 0) : null,
  })
})
