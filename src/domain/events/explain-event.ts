import { explainGrouping, type GroupingExplanation } from '#grouping/explain-grouping.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { findAnySkew, skewDescriptions } from '#react/deploy-skew.ts'
import { serverErrorAdviceOf } from '#react/frameworks/find-frameworks.ts'
import { guessCause } from '#react/hydration/guess-cause.ts'
import { findReactError, reactErrorUrl, readMinifiedError } from '#react/react-errors/find-react-error.ts'
import type { ReactErrorEntry } from '#react/react-errors/react-error.ts'
import { digestOf } from '#react/server-digest.ts'
import { isServerEcho, isServerError } from '#react/server-error.ts'

type GroupedEventData = { data: string; group_version: number; group_hash: string }
/** The event with source maps that arrived after it, and the hashes of its issue. */
type MappedLater = { data: string; hashes: readonly string[] }

/** Why an event is in its group; null when this version can't read its JSON. */
export function explainEvent(
  { data, group_version, group_hash }: GroupedEventData,
  mappedLater?: MappedLater,
): GroupingExplanation | null {
  try {
    // Digest normalized every field that grouping reads before it stored the event.
    const event = JSON.parse(data) as StoredEvent
    const why = explainGrouping(event, group_version)
    const late = mappedLater === undefined || mappedLater.data === data ? null : explainLate(mappedLater, group_hash)
    if (late) return late
    if (why === null || why.hash === group_hash) return why
    if (isServerError(event)) return explainLinked(why, group_hash)
    return isServerEcho(event) ? explainEcho(why, group_hash) : why
  } catch {
    return null
  }
}

/** Once its source map is there, an event counts for the group of its original code, if that group is in the same issue. */
function explainLate({ data, hashes }: MappedLater, groupHash: string): GroupingExplanation | null {
  const why = explainGrouping(JSON.parse(data) as StoredEvent)
  if (why === null || why.hash === groupHash || !hashes.includes(why.hash)) return null
  return { ...why, summary: `A source map that arrived after this event shows its original code. ${why.summary}` }
}

/** A browser error that is linked to a server error has the server error's group. */
const explainLinked = (why: GroupingExplanation, hash: string): GroupingExplanation => ({
  ...why,
  hash,
  summary:
    'The browser only knows that the server failed. The server’s event with the same trace or digest has the details, so the server’s group decides.',
  parts: [],
  ignored: [{ what: 'message and route', why: 'the same for every such error on every page' }],
})

const explainEcho = (why: GroupingExplanation, hash: string): GroupingExplanation => ({
  ...why,
  hash,
  summary:
    'The server threw this error, and the browser threw it again. The server’s event of the same trace has its stack, so the server’s group decides.',
  parts: [],
  ignored: [{ what: 'stack', why: 'it shows only where the browser read the error' }],
})

export type HydrationView = {
  kind: 'hydration'
  about: string
  code: number | null
  /** Null without the hydration helper, or when it found no difference. */
  fragments: { server: string; client: string; path: string } | null
  guess: { name: string; explanation: string; advice: string } | null
  checks: { text: string; fits: boolean }[]
}
type ReactInsight =
  | HydrationView
  | { kind: 'skew'; description: string; release: string }
  | { kind: 'server-error'; digest: string; advice: string }

/** React insights about a stored event; null for an error that has nothing to do with React or Next.js. */
export function explainReact(data: string): ReactInsight | null {
  try {
    // Digest normalized every field that is read here before it stored the event.
    return explain(JSON.parse(data) as StoredEvent)
  } catch {
    return null
  }
}

function explain(event: StoredEvent): ReactInsight | null {
  const skew = findAnySkew(event)
  if (skew !== null) return { kind: 'skew', description: skewDescriptions[skew], release: event.release ?? '' }
  if (isServerError(event))
    return { kind: 'server-error', digest: digestOf(event), advice: serverErrorAdviceOf(String(event.sdk?.name ?? '')) }
  const found = guessCause(event)
  if (found === null) return null
  return {
    kind: 'hydration',
    about: found.error.about,
    code: found.error.code,
    fragments: found.fragments,
    guess: found.guess && {
      name: found.guess.title,
      explanation: found.guess.explanation,
      advice: found.guess.advice,
    },
    checks: found.checks.map(({ rule, fits }) => ({ text: rule.check, fits })),
  }
}

export type ReactErrorExplanation = {
  code: number
  /** Null for a code that we don't explain; the URL leads to React's own text. */
  entry: ReactErrorEntry | null
  args: { label: string; value: string }[]
  isTruncated: boolean
  address: string
}

/** Explains a minified React error; null for any other message. */
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
    address: reactErrorUrl(read.code),
  }
}
