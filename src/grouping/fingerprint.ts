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
export type IgnoredParts = Ignored[] | null

/** A way of grouping. Released ones are never changed: a better one gets the next number and stands beside them. */
export type GroupVersion = {
  version: number
  /** Null where this version decides as the one before it: such an event keeps the hash that it always had. */
  fingerprintOf: (event: StoredEvent, ignored: IgnoredParts) => Fingerprint | null
}

/** 32 hex digits. Kind and value end in characters that no part holds, so that ['a', 'bc'] and ['ab', 'c'] differ. */
export function hashParts(parts: Part[]): string {
  let text = ''
  for (const { kind, value } of parts) text += `${kind}\u0001${value}\u0000`
  return hash('md5', text)
}

/**
 * The group of browsers' errors that stand for a server's group in another project: an issue belongs to one project, so there it is an
 * issue of its own. It has the version of the server's hash.
 */
export const linkedGroupHash = (projectId: number, hash: string): string =>
  hashParts([{ kind: 'failure', value: `server ${projectId} ${hash}` }])
