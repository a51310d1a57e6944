/**
 * The regular expressions that the sources construct when they run. None may be made from what a request brings: their parts are texts
 * of the sources, which is why loading a file, and for one of them calling it, makes them all.
 */
const makers: { file: string; make: () => Promise<unknown> }[] = [
  { file: 'src/web/sentry-addresses.ts', make: () => import('#web/sentry-addresses.ts') },
  { file: 'src/web/auth.ts', make: () => import('#web/auth.ts') },
  { file: 'src/scrub/is-sensitive-key.ts', make: () => import('#scrub/is-sensitive-key.ts') },
  { file: 'src/scrub/scrub-text.ts', make: () => import('#scrub/scrub-text.ts') },
  { file: 'src/lens/noise/extension-rule.ts', make: () => import('#lens/noise/extension-rule.ts') },
  { file: 'src/group/v1/find-failure.ts', make: () => import('#group/v1/find-failure.ts') },
  { file: 'src/engine/insert-target.ts', make: () => import('#engine/insert-target.ts') },
  {
    file: 'src/group/v1/variable-pattern.ts',
    make: async () => {
      const { variablePattern } = await import('#group/v1/variable-pattern.ts')
      // A text with a sign of every kind gives the alternation of all of them; with fewer signs it is a part of that.
      return variablePattern('"quoted" a@b.example http://c.example 3 may 2026')
    },
  },
]

export const knownMakers: readonly string[] = makers.map(({ file }) => file)

export type MadePattern = { file: string; source: string; flags: string }

export async function recordPatterns(): Promise<MadePattern[]> {
  const made: MadePattern[] = []
  const original = RegExp
  for (const { file, make } of makers) {
    globalThis.RegExp = new Proxy(original, {
      construct: (target, [source, flags = ''], self) => {
        made.push({ file, source: String(source), flags: String(flags) })
        return Reflect.construct(target, [source, flags], self)
      },
    })
    try {
      await make()
    } finally {
      globalThis.RegExp = original
    }
  }
  return made
}
