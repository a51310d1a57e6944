/**
 * Version 2 decides differently in three cases only: deploy skew is one issue per release whatever is gone, the message counts for
 * errors that an assertion helper throws, and installed packages of Python are not the app's code whatever its SDK says. For all other
 * events it is null, so their issues keep the hashes of version 1.
 */
import type { StoredEvent } from '#protocol/event.ts'
import type { Fingerprint, IgnoredNotes } from '../fingerprint.ts'
import { ownFingerprint } from '../v1/own-fingerprint.ts'
import { sdkParts } from '../v1/sdk-parts.ts'
import { assertionFingerprint } from './assertion-fingerprint.ts'
import { skewFingerprint } from './skew-fingerprint.ts'
import { withoutPackages } from './without-packages.ts'

export function fingerprintV2(event: StoredEvent, ignored: IgnoredNotes): Fingerprint | null {
  const wanted = sdkParts(event)
  if (wanted !== null && !wanted.includes('default')) return null
  const clean = withoutPackages(event)
  const own =
    skewFingerprint(event, ignored) ??
    assertionFingerprint(clean ?? event, ignored) ??
    (clean && ownFingerprint(clean, ignored))
  if (own === null || wanted === null) return own
  return {
    strategy: 'sdk_fingerprint_and_own',
    parts: wanted.flatMap(part => (part === 'default' ? own.parts : [part])),
  }
}
