import { beforeAll, describe, expect, test } from 'vitest'
import { auditScene } from '../audit.ts'
import type { Fault } from '../gate.ts'
import { live } from '../live.ts'
import type { Stage } from '../open-stage.ts'
import { setScene } from '../set-scene.ts'

export function testCrashPoints(scene: () => Stage): void {
  describe('crashes of digest', () => {
    let stage: Stage
    beforeAll(() => {
      stage = scene()
    })

    async function faultsAfter(faults: Fault[]): Promise<string[]> {
      const scene = await setScene(stage)
      for (const fault of faults) await live(stage, scene, { fault })
      await live(stage, scene)
      await scene.inbox.close()
      return (await auditScene(stage, scene)).map(text => `${JSON.stringify(faults)}: ${text}`)
    }

    test('digest can end at any step, and everything is still stored and counted once', async () => {
      const scene = await setScene(stage)
      const steps = await live(stage, scene)
      await scene.inbox.close()
      expect(steps.filter(step => step === 'commit').length).toBeGreaterThanOrEqual(2)
      expect(new Set(steps)).toEqual(
        new Set([
          'blob',
          'insert events',
          'insert event_index',
          'insert spans',
          'insert logs',
          'insert attachments',
          'insert outcomes',
          'commit',
        ]),
      )
      // A crash before a step is a crash after the previous one.
      const points = [-1, ...steps.keys()].map(
        step => ({ step: Math.max(0, step), mode: step < 0 ? 'die before' : 'die after' }) as const,
      )
      const lost = [...steps.keys()].map(step => ({ step, mode: 'lose answer' }) as const)
      const all = [...points, ...lost]
      const found: string[] = []
      for (let start = 0; start < all.length; start += 6) {
        found.push(...(await Promise.all(all.slice(start, start + 6).map(fault => faultsAfter([fault])))).flat())
      }
      expect(found).toEqual([])
    })

    test('a second crash during the recovery from the first one changes nothing', async () => {
      const found: string[] = []
      const runs = [1, 3, 5].map(step =>
        faultsAfter([
          { step, mode: 'die after' },
          { step: step + 2, mode: 'die after' },
          { step, mode: 'lose answer' },
        ]),
      )
      found.push(...(await Promise.all(runs)).flat())
      expect(found).toEqual([])
    })
  })
}
