import { hash } from 'node:crypto'
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

/** One hashed part, readable enough to be shown in the explanation. */
export type Part = { kind: PartKind; value: string }

export type Strategy =
  | 'sdk_fingerprint'
  | 'sdk_fingerprint_and_own'
  | 'stack'
  | 'assertion'
  | 'error_and_message'
  | 'deploy_skew'
  | 'hydration_cause'
  | 'thrown_response'
  | 'redacted'
  | 'message'
  | 'nothing'

export type Ignored = { what: string; why: string }

export type Fingerprint = {
  strategy: Strategy
  parts: Part[]
  /** The version whose group of these parts it is, if an older one made that group for other events. */
  groupOf?: number
}

/** Collects what was ignored, for explanations; null during digest, where collecting would only cost time. */
export type IgnoredParts = Ignored[] | null

/** A released grouping version never changes: an improvement gets the next number. */
export type GroupVersion = {
  version: number
  /** Null if this version decides like the previous one: the event then keeps its hash. */
  fingerprintOf: (event: StoredEvent, ignored: IgnoredParts) => Fingerprint | null
}

/**
 * 32 hex digits. Separators that occur in no part make ['a', 'bc'] and ['ab', 'c'] differ. From version 3 on, the version makes a
 * difference, because the same parts may be another group there.
 */
export function hashParts(parts: Part[], version = 1): string {
  let text = version < 3 ? '' : `${version}\u0002`
  for (const { kind, value } of parts) text += `${kind}\u0001${value}\u0000`
  return hash('md5', text)
}

/**
 * The group of browser errors that are linked to server errors of another project. An issue belongs to one project, so they get
 * their own issue. It has the grouping version of the server's hash.
 */
export const linkedGroupHash = (projectId: number, hash: string): string =>
  hashParts([{ kind: 'failure', value: `server ${projectId} ${hash}` }])
