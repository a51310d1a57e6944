/**
 * The regular expressions that the sources construct at run time. None may contain request data: their parts are constants, so loading
 * the modules, and calling one function, constructs them all.
 */
const makers: { file: string; make: () => Promise<unknown> }[] = [
  { file: 'src/react/frameworks/find-frameworks.ts', make: () => import('#react/frameworks/find-frameworks.ts') },
  { file: 'src/web/sentry-moves.ts', make: () => import('#web/sentry-moves.ts') },
  { file: 'src/lib/session-cookie.ts', make: () => import('#lib/session-cookie.ts') },
  { file: 'src/web/auth-cookies.ts', make: () => import('#web/auth-cookies.ts') },
  { file: 'src/scrubbing/is-sensitive-key.ts', make: () => import('#scrubbing/is-sensitive-key.ts') },
  { file: 'src/scrubbing/scrub-text.ts', make: () => import('#scrubbing/scrub-text.ts') },
  { file: 'src/react/noise/extension-rule.ts', make: () => import('#react/noise/extension-rule.ts') },
  { file: 'src/grouping/v1/message.ts', make: () => import('#grouping/v1/message.ts') },
  { file: 'src/grouping/v3/words.ts', make: () => import('#grouping/v3/words.ts') },
  {
    file: 'src/grouping/v3/parametrize.ts',
    make: async () => {
      const { matcherFor } = await import('#grouping/v3/parametrize.ts')
      // A text with every kind of character gives the full alternation; others give a part of it.
      return matcherFor('"quoted" a@b.example http://c.example 3 may 2026 deadbeef true')
    },
  },
  { file: 'src/engine/statement.ts', make: () => import('#engine/statement.ts') },
  {
    file: 'src/grouping/v1/parametrize.ts',
    make: async () => {
      const { variablePattern } = await import('#grouping/v1/parametrize.ts')
      // A text with every kind of character gives the full alternation; others give a part of it.
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
