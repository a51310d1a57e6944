import type { StoredEvent } from '#protocol/event.ts'
import type { GroupVersion } from './fingerprint.ts'
import { groupVersions } from './group-versions.ts'
import { hashParts } from './hash-parts.ts'
import { culpritOf, titleOf } from './title.ts'

export type GroupKey = {
  version: number
  /** 32 hex digits. */
  hash: string
}

export type Grouping = GroupKey & {
  /** What older versions make of the event: they lead to issues that are older than the current version. */
  fallbacks: GroupKey[]
  title: string
  culprit: string
}

/** Which issue an event belongs to. Pure: the same event gives the same hashes for ever. */
export function groupEvent(event: StoredEvent, versions: readonly GroupVersion[] = groupVersions): Grouping {
  const [current, ...older] = versions.map(({ version, fingerprintOf }) => ({
    version,
    hash: hashParts(fingerprintOf(event, null).parts),
  }))
  if (current === undefined) throw new Error('there is no grouping version')
  return { ...current, fallbacks: older, title: titleOf(event), culprit: culpritOf(event) }
}
