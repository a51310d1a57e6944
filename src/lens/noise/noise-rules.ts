import { readHydration } from '../hydration/read-hydration.ts'
import { findSkew } from '../skew/find-skew.ts'
import { extensionRule } from './extension-rule.ts'
import type { NoiseRule } from './noise-rule.ts'
import { pageRules } from './page-rules.ts'
import { signalRules } from './signal-rules.ts'
import { visitorRules } from './visitor-rules.ts'

/** Signals here, noise elsewhere: who wants them gone can say so. */
const lensRules: readonly NoiseRule[] = [
  {
    id: 'hydration-errors',
    name: 'Hydration errors',
    why: 'Server and browser rendered different content. Hydrant shows what differed, so these are kept by default.',
    byDefault: 'off',
    matches: ({ isBrowser, value }) => isBrowser && readHydration(value) !== null,
  },
  {
    id: 'chunk-loads',
    name: 'Deploy skew',
    why: 'An open tab asked for parts of an older deploy. Hydrant makes one issue of each deploy, so these are kept by default.',
    byDefault: 'off',
    matches: ({ event }) => findSkew(event) !== null,
  },
]

/** In this order: an event that several know is counted for the first that drops it. */
export const noiseRules: readonly NoiseRule[] = [
  ...signalRules,
  ...pageRules,
  extensionRule,
  ...visitorRules,
  ...lensRules,
]
