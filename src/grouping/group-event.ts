import type { StoredEvent } from '#protocol/event.ts'
import { type Fingerprint, type GroupVersion, hashParts } from './fingerprint.ts'
import { withoutMovedStack } from './moved-stack.ts'
import { culpritOf, skewTitle, titleOf } from './title.ts'
import { fingerprintV1 } from './v1/fingerprint-v1.ts'
import { fingerprintV2, skewParts, skewVersion } from './v2/fingerprint-v2.ts'
import { fingerprintV3 } from './v3/fingerprint-v3.ts'

export type GroupKey = {
  version: number
  /** 32 hex digits. */
  hash: string
}

export type Grouping = GroupKey & {
  /** Hashes of older versions, which lead to issues from before the current version. */
  fallbacks: GroupKey[]
  title: string
  culprit: string
}

/** Computes the group of an event. Pure: the same event always gives the same hashes. */
export function groupEvent(event: StoredEvent, versions: readonly GroupVersion[] = groupVersions): Grouping {
  const keys: GroupKey[] = []
  for (const { version, fingerprintOf } of versions) {
    const found = fingerprintOf(event, null)
    if (found !== null) keys.push(keyOf(found, version))
  }
  const [current, ...older] = keys
  if (current === undefined) throw new Error('No grouping version returned a fingerprint for this event.')
  return { ...current, fallbacks: older, title: titleOf(event), culprit: culpritOf(event) }
}

function keyOf({ parts, groupOf }: Fingerprint, version: number): GroupKey {
  const own = groupOf ?? version
  return { version: own, hash: hashParts(parts, own) }
}

/** The group of deploy skew in a release, and its title. */
export const skewGroup = (release: string): GroupKey & { title: string } => ({
  version: skewVersion,
  hash: hashParts(skewParts(release), skewVersion),
  title: skewTitle(release),
})

/** The current version first. An older one stays as long as there may be issues that only its hashes lead to. */
export const groupVersions: readonly GroupVersion[] = [
  { version: 3, fingerprintOf: fingerprintV3 },
  { version: 2, fingerprintOf: (event, ignored) => fingerprintV2(withoutMovedStack(event), ignored) },
  { version: 1, fingerprintOf: (event, ignored) => fingerprintV1(withoutMovedStack(event), ignored) },
]
