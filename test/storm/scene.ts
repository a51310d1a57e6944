/**
 * A scene of the storm suite is one file here: it puts a real Hydrant into an incident and fills a ledger of what was sent and what arrived.
 * `npm test` plays each scene small, `npm run storm` at full size.
 */
import { test } from 'vitest'

export const isFullStorm = process.env.HYDRANT_STORM === 'full'

/** The messages for one receiver. `sent` and `open` come from the sender's records, the other fields from the receiver's. */
export type LedgerRow = {
  who: string
  sent: number
  received: number
  /** Sent according to the sender, never received. */
  lost: string[]
  /** Received more often than a repetition with the same id explains. */
  duplicated: string[]
  /** The same message with the same id once more, which at-least-once allows after a kill. */
  repeated: number
  open: number
}

export const playScene = (name: string, play: () => Promise<readonly LedgerRow[]>): void =>
  test(name, async () => {
    const rows = await play()
    process.stdout.write(`\nstorm: ${name}\n${drawLedger(rows)}\n`)
    const broken = rows.filter(({ lost, duplicated }) => lost.length > 0 || duplicated.length > 0)
    if (broken.length > 0) throw new Error(`lost or duplicated: ${JSON.stringify(broken)}`)
    if (rows.length === 0 || rows.every(({ received }) => received === 0)) throw new Error('nothing was received')
  })

const columns = ['sent', 'received', 'lost', 'duplicated', 'repeated', 'open'] as const

function drawLedger(rows: readonly LedgerRow[]): string {
  const width = Math.max(...rows.map(({ who }) => who.length))
  const line = (who: string, cells: readonly (string | number)[]) =>
    `  ${who.padEnd(width)}${cells.map(cell => String(cell).padStart(11)).join('')}`
  const countOf = (value: number | string[]) => (typeof value === 'number' ? value : value.length)
  return [
    line('', columns),
    ...rows.map(row =>
      line(
        row.who,
        columns.map(column => countOf(row[column])),
      ),
    ),
  ].join('\n')
}
