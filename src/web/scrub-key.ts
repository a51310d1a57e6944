import { getRuntime } from '#runtime.ts'
import { drainSecret, loadSecret, scrubKey } from '#store/control/secret.ts'

/** The key of the hashes that scrubbing rules make, as digest has it. */
export const getScrubKey = (): string => scrubKey(loadSecret(getRuntime().config))

/** With which a log drain signs what it sends with a DSN key, as ingest checks it. */
export const getDrainSecret = (keyId: number): string => drainSecret(loadSecret(getRuntime().config), keyId)
