import { beforeEach, describe, expect, test } from 'vitest'
import { createJobRunner } from '#jobs/run-jobs.ts'
import type { Control } from '#store/control/control.ts'
import { claimJob, enqueueJob, finishJob, retryAfterMs } from '#store/control/job-queue.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'

onEachEngine(({ newControl }) => {
  describe('the job queue', () => {
    let control: Control
    let now: number
    beforeEach(async () => {
      control = await newControl()
      now = 1_794_700_000_000
    })
    const leaseMs = 60_000
    const claim = (holder: string) => claimJob(control.db, { names: ['mail'], holder, nowMs: now, leaseMs })
    const queue = (key: string) => enqueueJob(control.db, { name: 'mail', key, runAt: now }, now)

    test('one of several nodes gets a job, and it is queued once', async () => {
      await queue('a')
      await queue('a')
      const claims = await Promise.all(['x', 'y', 'z'].map(claim))
      expect(claims.filter(job => job !== null)).toHaveLength(1)
    })

    test('the job of a killed node is taken over when its lease ends, and the late node cannot finish it', async () => {
      await queue('a')
      const first = await claim('killed')
      expect(await claim('other')).toBeNull()
      now += leaseMs
      const second = await claim('other')
      expect(second).toMatchObject({ key: 'a', attempts: 2 })
      if (first === null || second === null) throw new Error('not claimed')
      expect(await finishJob(control.db, first, 'killed', now)).toBe(false)
      expect(await finishJob(control.db, second, 'other', now)).toBe(true)
      expect(await claim('other')).toBeNull()
    })

    test('a job that fails is tried again, each time later', async () => {
      await queue('a')
      let runs = 0
      const fails = {
        run: async () => {
          runs += 1
          throw new Error('no answer')
        },
      }
      const runner = createJobRunner({ control, handlers: { mail: fails }, log: silentLog, now: () => now })
      expect(await runner.runDue()).toBe(1)
      expect(await runner.runDue()).toBe(0)
      now += retryAfterMs(1)
      expect(await runner.runDue()).toBe(1)
      now += retryAfterMs(1)
      expect(await runner.runDue()).toBe(0)
      now += retryAfterMs(2)
      await runner.runDue()
      expect(runs).toBe(3)
      const row = await control.db.selectFrom('job').select(['last_error', 'state']).executeTakeFirst()
      expect(row).toEqual({ last_error: 'Error: no answer', state: 'queued' })
    })

    test('a schedule runs on one node per interval', async () => {
      const runs: string[] = []
      const node = (name: string) =>
        createJobRunner({
          control,
          handlers: { tick: { everyMs: 60_000, run: async () => void runs.push(name) } },
          log: silentLog,
          now: () => now,
        })
      const nodes = [node('a'), node('b')]
      await Promise.all(nodes.map(each => each.runDue()))
      expect(runs).toHaveLength(1)
      now += 60_000
      await Promise.all(nodes.map(each => each.runDue()))
      await Promise.all(nodes.map(each => each.runDue()))
      expect(runs).toHaveLength(2)
    })
  })
})
