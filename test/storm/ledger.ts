/** The counts of a scene of the storm suite, and how they are printed. */
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

/** A scene that has ended, for the table of all of them. */
export type PlayedScene = { name: string; seconds: number; rows: readonly LedgerRow[]; error: string | null }

const columns = ['sent', 'received', 'lost', 'duplicated', 'repeated', 'open'] as const

export function drawLedger(rows: readonly LedgerRow[]): string {
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
