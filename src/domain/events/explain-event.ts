import { explainGrouping, type GroupingExplanation } from '#grouping/explain-grouping.ts'
import type { StoredEvent as EventData, StoredEvent } from '#protocol/event.ts'
import { findSkew, skewSays } from '#react/deploy-skew.ts'
import { guessCause } from '#react/hydration/guess-cause.ts'
import { findReactError, reactErrorAddress, readMinifiedError } from '#react/react-errors/find-react-error.ts'
import type { ReactErrorEntry } from '#react/react-errors/react-error.ts'
import { digestOf, isServerError } from '#react/server-error.ts'

type Grouped = { data: string; group_version: number; group_hash: string }
/** The event as maps that came later show it, and the hashes of its issue. */
type Today = { data: string; hashes: readonly string[] }

/** Why an event is in its group. Null where its JSON is not what this version can read. */
export function explainEvent({ data, group_version, group_hash }: Grouped, today?: Today): GroupingExplanation | null {
  try {
    // Digest gave every field that grouping reads its shape before the event was stored.
    const event = JSON.parse(data) as EventData
    const why = explainGrouping(event, group_version)
    const late = today === undefined || today.data === data ? null : explainLate(today, group_hash)
    if (late) return late
    return why && isServerError(event) && why.hash !== group_hash ? joined(why, group_hash) : why
  } catch {
    return null
  }
}

/** Once its map is there, an event belongs to the group of its written code, where that one is in the same issue. */
function explainLate({ data, hashes }: Today, groupHash: string): GroupingExplanation | null {
  const why = explainGrouping(JSON.parse(data) as EventData)
  if (why === null || why.hash === groupHash || !hashes.includes(why.hash)) return null
  return { ...why, summary: `A source map that arrived after this event shows its written code. ${why.summary}` }
}

/** A browser's error that stands for the server's has its group, not one of its own. */
const joined = (why: GroupingExplanation, hash: string): GroupingExplanation => ({
  ...why,
  hash,
  summary:
    'The browser only knows that the server failed. The server’s event of the same trace, or of the same digest, tells what, so the server’s group decides.',
  parts: [],
  ignored: [{ what: 'message and route', why: 'every such error of every page has the same' }],
})

export type HydrationView = {
  kind: 'hydration'
  about: string
  code: number | null
  /** Null without the browser helper, or where it saw no difference. */
  fragments: { server: string; client: string; path: string } | null
  guess: { name: string; says: string; advice: string } | null
  checks: { text: string; fits: boolean }[]
}
type ReactInsight = HydrationView | { kind: 'skew'; says: string; release: string } | { kind: 'echo'; digest: string }

/** What a stored event means in a server-rendered React app; null where it is an error like any other. */
export function explainReact(data: string): ReactInsight | null {
  try {
    // Digest gave every field that the lens reads its shape before the event was stored.
    return explain(JSON.parse(data) as StoredEvent)
  } catch {
    return null
  }
}

function explain(event: StoredEvent): ReactInsight | null {
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

export type ReactErrorExplanation = {
  code: number
  /** Null for a code that we have no words for; the address has React's own. */
  entry: ReactErrorEntry | null
  args: { label: string; value: string }[]
  isTruncated: boolean
  address: string
}

/** What a message of a production build of React says; null when it is another message. */
export function explainReactError(message: string): ReactErrorExplanation | null {
  const read = readMinifiedError(message)
  if (read === null) return null
  const entry = findReactError(read.code)
  const args = read.args.map((value, at) => ({ label: entry?.args?.[at] ?? `Argument ${at + 1}`, value }))
  return {
    code: read.code,
    entry,
    args: args.filter(({ value }) => value !== ''),
    isTruncated: read.isTruncated,
    address: reactErrorAddress(read.code),
  }
}
