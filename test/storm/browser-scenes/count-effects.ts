import type { LostCount } from '../../e2e/play-lost-actions.ts'
import type { LedgerRow } from '../ledger.ts'

/** Each action was sent once by a user, however often the browser tried. */
export const countEffects = (counts: readonly LostCount[]): LedgerRow[] =>
  counts.map(({ action: { name }, times }) => ({
    who: name,
    sent: 1,
    received: times,
    lost: times === 0 ? [name] : [],
    duplicated: times > 1 ? [name] : [],
    repeated: 0,
    open: 0,
  }))
