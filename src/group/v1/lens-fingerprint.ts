/** Failures of a server-rendered React app that are one problem for reasons that neither stack nor message tells. */
import { guessCause } from '#lens/hydration/guess-cause.ts'
import { findSkew } from '#lens/skew/find-skew.ts'
import { skewSays } from '#lens/skew/skew-wordings.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Fingerprint, IgnoredNotes } from '../fingerprint.ts'
import { chainParts } from './chain-parts.ts'
import { routePart } from './route-part.ts'

/** Null where the event is none of them, or where nothing more is known of it than its message says. */
export function lensFingerprint(event: StoredEvent, ignored: IgnoredNotes): Fingerprint | null {
  return skewFingerprint(event, ignored) ?? hydrationFingerprint(event, ignored)
}

/** One deploy breaks every open tab of the release before it, each at another chunk: the release is what they share. */
function skewFingerprint(event: StoredEvent, ignored: IgnoredNotes): Fingerprint | null {
  const skew = findSkew(event)
  if (skew === null || event.release === undefined || event.release === '') return null
  ignored?.push({ what: 'name of the part, stack and route', why: 'a deploy takes many parts away at once' })
  return {
    strategy: 'deploy_skew',
    parts: [
      { kind: 'failure', value: skewSays[skew] },
      { kind: 'release', value: event.release },
    ],
  }
}

/** Without a cause it stays what React's words alone make of it, so that helper and no helper agree where nothing was found. */
function hydrationFingerprint(event: StoredEvent, ignored: IgnoredNotes): Fingerprint | null {
  const guess = guessCause(event)?.guess
  if (guess === null || guess === undefined) return null
  const [failure] = chainParts(event, null).filter(({ kind }) => kind === 'failure')
  if (failure === undefined) return null
  ignored?.push({ what: 'stack', why: 'it leads through React alone' })
  return { strategy: 'hydration_cause', parts: [failure, { kind: 'cause', value: guess.name }, ...routePart(event)] }
}
