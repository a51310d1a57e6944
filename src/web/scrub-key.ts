import { getRuntime } from '#runtime.ts'
import { loadSecret, scrubKey } from '#store/control/secret.ts'

/** The key of the hashes that scrubbing rules make, as digest has it. */
export const getScrubKey = (): string => scrubKey(loadSecret(getRuntime().config))
