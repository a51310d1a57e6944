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
  /** The hashed parts, in order. */
  parts: { kind: PartKind; label: string; value: string }[]
  /** Parts that were considered but are not in the hash. */
  ignored: Ignored[]
}

const summaries: Record<Strategy, string> = {
  sdk_fingerprint: 'The app sets the group with its own fingerprint.',
  sdk_fingerprint_and_own: 'The app adds its own fingerprint to Hydrant’s grouping.',
  stack: 'Errors of the same type with the same in-app frames are one issue.',
  assertion:
    'Errors thrown by an assertion helper are one issue if they have the same in-app frames and the same message.',
  error_and_message:
    'The stack has no frame that stays the same between deploys, so the error type and the message decide.',
  deploy_skew:
    'Open tabs of one release that request files removed by a newer deploy are one issue, whatever they request.',
  hydration_cause: 'Hydration errors on the same route with the same likely cause are one issue.',
  thrown_response: 'Responses with the same status that are thrown on the same route are one issue.',
  redacted: 'Errors that reached the browser without their message are one issue on each route.',
  message: 'Messages with the same text are one issue, whatever values they contain.',
  nothing: 'The event has neither an error nor a message. All such events are one issue.',
}

const labels: Record<PartKind, string> = {
  fingerprint: 'Fingerprint set by the app',
  type: 'Error type',
  message: 'Message without values',
  failure: 'Known failure, in any browser’s wording',
  cause: 'Likely cause',
  release: 'Release',
  frame: 'In-app frame',
  route: 'Route',
  nothing: 'No error or message',
}

/**
 * Why an event is in its issue. Recomputed from the stored event by the code that made its hash. Null if that grouping version
 * no longer exists.
 */
export function explainGrouping(
  event: StoredEvent,
  fromVersion?: number,
  versions: readonly GroupVersion[] = groupVersions,
): GroupingExplanation | null {
  const from = fromVersion === undefined ? 0 : versions.findIndex(({ version }) => version === fromVersion)
  for (const { version, fingerprintOf } of from === -1 ? [] : versions.slice(from)) {
    const ignored: Ignored[] = []
    const found = fingerprintOf(event, ignored)
    if (found === null) continue
    return {
      version,
      hash: hashParts(found.parts, version),
      strategy: found.strategy,
      summary: summaries[found.strategy],
      parts: found.parts.map(({ kind, value }) => ({ kind, label: labels[kind], value })),
      ignored,
    }
  }
  return null
}
