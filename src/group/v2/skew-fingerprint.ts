import { findSkew } from '#lens/skew/find-skew.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Fingerprint, IgnoredNotes } from '../fingerprint.ts'
import { isReportedMessage } from '../v1/own-fingerprint.ts'

/** One deploy breaks every open tab of the release before it, at chunks, stylesheets and server actions: the release is what they share. */
export function skewFingerprint(event: StoredEvent, ignored: IgnoredNotes): Fingerprint | null {
  if (findSkew(event) === null || isReportedMessage(event)) return null
  ignored?.push({ what: 'type, message, stack and route', why: 'a deploy takes many parts away at once' })
  const { release = '' } = event
  return {
    strategy: 'deploy_skew',
    parts: [
      { kind: 'failure', value: 'deploy skew' },
      ...(release === '' ? [] : [{ kind: 'release' as const, value: release }]),
    ],
  }
}
