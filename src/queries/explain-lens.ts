import { guessCause } from '#lens/hydration/guess-cause.ts'
import { digestOf } from '#lens/server-error/digest-of.ts'
import { isServerError } from '#lens/server-error/is-server-error.ts'
import { findSkew } from '#lens/skew/find-skew.ts'
import { skewSays } from '#lens/skew/skew-wordings.ts'
import type { StoredEvent } from '#protocol/event.ts'

export type HydrationView = {
  kind: 'hydration'
  about: string
  code: number | null
  /** Null without the browser helper, or where it saw no difference. */
  fragments: { server: string; client: string; path: string } | null
  guess: { name: string; says: string; advice: string } | null
  checks: { text: string; fits: boolean }[]
}
export type LensView =
  | HydrationView
  | { kind: 'skew'; says: string; release: string }
  | { kind: 'echo'; digest: string }

/** What a stored event means in a server-rendered React app; null where it is an error like any other. */
export function explainLens(data: string): LensView | null {
  try {
    // Digest gave every field that the lens reads its shape before the event was stored.
    return explain(JSON.parse(data) as StoredEvent)
  } catch {
    return null
  }
}

function explain(event: StoredEvent): LensView | null {
  const skew = findSkew(event)
  if (skew !== null) return { kind: 'skew', says: skewSays[skew], release: event.release ?? '' }
  if (isServerError(event)) return { kind: 'echo', digest: digestOf(event) }
  const found = guessCause(event)
  if (found === null) return null
  return {
    kind: 'hydration',
    about: found.error.about,
    code: found.error.code,
    fragments: found.fragments,
    guess: found.guess && { name: found.guess.name, says: found.guess.says, advice: found.guess.advice },
    checks: found.checks.map(({ rule, fits }) => ({ text: rule.check, fits })),
  }
}
