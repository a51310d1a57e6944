import type { Symbolicator } from '#symbolication/open-symbolicator.ts'

const key = Symbol.for('hydrant.symbolicator')
type Holder = { [key]?: Symbolicator }

/**
 * The web process starts the symbolication thread outside of the Next bundle, because a bundler can't resolve the thread's entry file.
 * Pages get it through a global symbol, whichever copy of this module they have.
 */
export function provideSymbolicator(symbolicator: Symbolicator): void {
  ;(globalThis as Holder)[key] = symbolicator
}

export function getSymbolicator(): Symbolicator {
  const symbolicator = (globalThis as Holder)[key]
  if (symbolicator === undefined) throw new Error('provideSymbolicator has not been called')
  return symbolicator
}
