/** Why an event is in its issue, in plain words. Made from the stored event by the code that made its hash. */
import type { StoredEvent } from '#protocol/event.ts'
import type { GroupVersion, Ignored, PartKind, Strategy } from './fingerprint.ts'
import { hashParts } from './fingerprint.ts'
import { groupVersions } from './group-event.ts'

export type GroupingExplanation = {
  version: number
  hash: string
  strategy: Strategy
  /** One sentence. */
  summary: string
  /** What counted, in order. */
  parts: { kind: PartKind; label: string; value: string }[]
  /** What was looked at and did not count. */
  ignored: Ignored[]
}

const summaries: Record<Strategy, string> = {
  sdk_fingerprint: 'The app names the group itself, by the fingerprint it sends.',
  sdk_fingerprint_and_own: 'The app adds its fingerprint to what Hydrant found.',
  stack: 'Errors of the same type that come the same way through the app’s own code are one issue.',
  assertion:
    'Errors that an assertion helper throws are one issue when they come the same way through the app’s own code with the same message.',
  error_and_message:
    'The stack has no place that stays the same from one deploy to the next, so the type and the message decide.',
  deploy_skew:
    'Open tabs of one release that ask for what a newer deploy took away are one issue, whatever they ask for.',
  hydration_cause: 'Hydration errors of one route with the same likely cause are one issue.',
  message: 'Messages with the same text are one issue, whatever values are in them.',
  nothing: 'The event has neither an error nor a message: all such events are one issue.',
}

const labels: Record<PartKind, string> = {
  fingerprint: 'Fingerprint of the app',
  type: 'Type of the error',
  message: 'Message, without its values',
  failure: 'What went wrong, whichever browser says it',
  cause: 'Likely cause',
  release: 'Release',
  frame: 'Place in the code',
  route: 'Route',
  nothing: 'Nothing to go by',
}

/** Null where the version that grouped the event is not known any more. */
export function explainGrouping(
  event: StoredEvent,
  wantedVersion?: number,
  versions: readonly GroupVersion[] = groupVersions,
): GroupingExplanation | null {
  const from = wantedVersion === undefined ? 0 : versions.findIndex(({ version }) => version === wantedVersion)
  for (const { version, fingerprintOf } of from === -1 ? [] : versions.slice(from)) {
    const ignored: Ignored[] = []
    const found = fingerprintOf(event, ignored)
    if (found === null) continue
    return {
      version,
      hash: hashParts(found.parts),
      strategy: found.strategy,
      summary: summaries[found.strategy],
      parts: found.parts.map(({ kind, value }) => ({ kind, label: labels[kind], value })),
      ignored,
    }
  }
  return null
}
