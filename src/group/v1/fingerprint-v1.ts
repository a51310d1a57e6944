import type { StoredEvent } from '#protocol/event.ts'
import type { Fingerprint, IgnoredNotes } from '../fingerprint.ts'
import { ownFingerprint } from './own-fingerprint.ts'
import { sdkParts } from './sdk-parts.ts'

/** The app's own fingerprint first, then what we find. */
export function fingerprintV1(event: StoredEvent, ignored: IgnoredNotes): Fingerprint {
  const wanted = sdkParts(event)
  if (wanted === null) return ownFingerprint(event, ignored)
  const own = wanted.includes('default') ? ownFingerprint(event, ignored) : null
  if (own === null) ignored?.push({ what: 'error, stack and message', why: 'the fingerprint of the app replaces them' })
  return {
    strategy: own === null ? 'sdk_fingerprint' : 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? (own?.parts ?? []) : [part])),
  }
}
