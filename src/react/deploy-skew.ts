import { cacheLast } from '#lib/cache-last.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { missingFileOf } from './frameworks/find-frameworks.ts'

/** Chars. Messages of bundlers and frameworks are short; a longer one is the app's own. */
const maxChars = 2_000

/** Which part of an old deploy an open tab failed to load; null when the event is not deploy skew. */
export function findSkew(event: StoredEvent): SkewKind | null {
  const error = event.exception?.values.at(-1)
  if (error === undefined) return null
  const value = error.value ?? ''
  if (value.length > maxChars) return null
  return kindByWording(value) ?? (error.type === 'ChunkLoadError' ? 'chunk' : null)
}

const kindByWording = cacheLast(
  (value): SkewKind | null =>
    skewWordings.find(({ wordings }) => wordings.some(wording => wording.test(value)))?.kind ?? null,
)

/**
 * Deploy skew that grouping knows from version 3 on: what a server says when it has no such file, and what Safari says of a page in place
 * of a script. `findSkew` decides about hashes of older versions, so it never learns more.
 */
export function findNewSkew(event: StoredEvent): SkewKind | null {
  if (missingFileOf(event) !== null) return 'chunk'
  const { value = '', type } = event.exception?.values.at(-1) ?? {}
  return event.platform === 'javascript' && type === 'TypeError' && notScript.test(value) ? 'chunk' : null
}

const notScript = /^'text\/html' is not a valid JavaScript MIME type\.?$/

/** In every wording. */
export const findAnySkew = (event: StoredEvent): SkewKind | null => findSkew(event) ?? findNewSkew(event)

export type SkewKind = 'chunk' | 'stylesheet' | 'action' | 'build'

type SkewWording = { kind: SkewKind; onlyTypes?: readonly string[]; wordings: readonly RegExp[] }

/** Messages of bundlers and frameworks when browser and server run different deploys. */
const skewWordings: readonly SkewWording[] = [
  {
    kind: 'stylesheet',
    wordings: [
      /^(?:ChunkLoadError: )?Loading CSS chunk .{1,300} failed/s,
      /^Unable to preload CSS for /,
      /^Failed to load stylesheet: .*\/_next\/static\//,
    ],
  },
  {
    kind: 'chunk',
    wordings: [
      // webpack, Turbopack
      /^(?:ChunkLoadError: )?Loading chunk .{1,300} failed/s,
      /^(?:ChunkLoadError: )?Failed to load chunk /,
      /^(?:Uncaught )?(?:\(in promise\):? )?ChunkLoadError\b/,
      // Vite and native modules: Chromium, Firefox, Safari
      /^Failed to fetch dynamically imported module: /,
      /^error loading dynamically imported module/,
      /^Importing a module script failed\.?$/,
      // Next's Pages Router
      /^Failed to load script: .*\/_next\/static\//,
      /^Failed to load client build manifest$/,
      /^Failed to lookup route: \//,
    ],
  },
  {
    kind: 'action',
    wordings: [/^Failed to find Server Action\b/, /^Server Action ".{1,100}" was not found on the server/s],
  },
  {
    kind: 'build',
    wordings: [
      /^(?:Build|Deployment) (?:id|ID) mismatch/,
      /^The client and server (?:are on different|have different) (?:builds|deployments)/,
      /^Version skew detected/i,
    ],
  },
]

export const skewDescriptions: Record<SkewKind, string> = {
  chunk: 'A chunk failed to load',
  stylesheet: 'A stylesheet failed to load',
  action: 'The server doesn’t know this server action',
  build: 'Browser and server run different builds',
}
