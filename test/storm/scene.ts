/**
 * A scene of the storm suite puts a real Hydrant into an incident and fills a ledger of what was sent and what arrived.
 * `npm test` plays each scene small, `npm run storm` at full size. Scenes with a browser share it and their Hydrant (`browser.test.ts`).
 */
import { appendFileSync } from 'node:fs'
import { inject, test } from 'vitest'
import { drawLedger, type LedgerRow, type PlayedScene } from './ledger.ts'

export const playScene = (name: string, play: () => Promise<readonly LedgerRow[]>): void =>
  test(name, async () => {
    const begunAt = performance.now()
    const note = (rows: readonly LedgerRow[], error: string | null) => {
      const scene: PlayedScene = { name, seconds: (performance.now() - begunAt) / 1_000, rows, error }
      appendFileSync(inject('playedScenes'), `${JSON.stringify(scene)}\n`)
    }
    const rows = await play().catch(error => {
      note([], String(error).split('\n')[0] ?? '')
      throw error
    })
    note(rows, null)
    process.stdout.write(`\nstorm: ${name}\n${drawLedger(rows)}\n`)
    const broken = rows.filter(({ lost, duplicated }) => lost.length > 0 || duplicated.length > 0)
    if (broken.length > 0) throw new Error(`lost or duplicated: ${JSON.stringify(broken)}`)
    if (rows.length === 0 || rows.every(({ received }) => received === 0)) throw new Error('nothing was received')
  })
