import { rememberLast } from '#lib/remember-last.ts'
import type { StoredEvent } from '#protocol/event.ts'

/** Chars. Longer texts are somebody's own. */
const maxChars = 2_000

/** How an event shows that a deploy has moved on under an open tab; null where it does not. */
export function findSkew(event: StoredEvent): SkewKind | null {
  const error = event.exception?.values.at(-1)
  if (error === undefined) return null
  const value = error.value ?? ''
  if (value.length > maxChars) return null
  return kindByWording(value) ?? (error.type === 'ChunkLoadError' ? 'chunk' : null)
}

const kindByWording = rememberLast(
  (value): SkewKind | null =>
    skewWordings.find(({ wordings }) => wordings.some(wording => wording.test(value)))?.kind ?? null,
)

/** How an app says that its browser half and its server half are of two deploys. A new wording is a new line. */
type SkewKind = 'chunk' | 'stylesheet' | 'action' | 'build'

type SkewWording = { kind: SkewKind; onlyTypes?: readonly string[]; wordings: readonly RegExp[] }

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

/** In words, for a title. */
export const skewSays: Record<SkewKind, string> = {
  chunk: 'a part of the app could not be loaded',
  stylesheet: 'a stylesheet of the app could not be loaded',
  action: 'a server action is not known to the server',
  build: 'browser and server are of different builds',
}
