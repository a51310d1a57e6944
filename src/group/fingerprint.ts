import type { StoredEvent } from '#protocol/event.ts'

export type PartKind =
  | 'fingerprint'
  | 'type'
  | 'message'
  | 'frame'
  | 'route'
  | 'failure'
  | 'cause'
  | 'release'
  | 'nothing'

/** One piece of what a hash is made from, as a person would write it down. */
export type Part = { kind: PartKind; value: string }

export type Strategy =
  | 'sdk_fingerprint'
  | 'sdk_fingerprint_and_own'
  | 'stack'
  | 'assertion'
  | 'error_and_message'
  | 'deploy_skew'
  | 'hydration_cause'
  | 'message'
  | 'nothing'

export type Ignored = { what: string; why: string }

export type Fingerprint = { strategy: Strategy; parts: Part[] }

/** Notes what did not count; null while events stream in, where nobody asks and the notes would cost. */
export type IgnoredNotes = Ignored[] | null

/** A way of grouping. Released ones are never changed: a better one gets the next number and stands beside them. */
export type GroupVersion = {
  version: number
  /** Null where this version decides as the one before it: such an event keeps the hash that it always had. */
  fingerprintOf: (event: StoredEvent, ignored: IgnoredNotes) => Fingerprint | null
}
