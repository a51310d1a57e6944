import type { GroupVersion } from './fingerprint.ts'
import { fingerprintV1 } from './v1/fingerprint-v1.ts'
import { fingerprintV2 } from './v2/fingerprint-v2.ts'

/** The one in use first. An older one stays as long as issues may live that only its hashes lead to. */
export const groupVersions: readonly GroupVersion[] = [
  { version: 2, fingerprintOf: fingerprintV2 },
  { version: 1, fingerprintOf: fingerprintV1 },
]
