/**
 * The web process starts its symbolication thread outside of what Next bundles: a bundler would take the thread's entry for a script
 * of its own. Pages find it here, in whichever copy of this module they have.
 */
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'

const key = Symbol.for('hydrant.symbolicator')
type Holder = { [key]?: Symbolicator }

export function provideSymbolicator(symbolicator: Symbolicator): void {
  ;(globalThis as Holder)[key] = symbolicator
}

export function getSymbolicator(): Symbolicator {
  const symbolicator = (globalThis as Holder)[key]
  if (symbolicator === undefined) throw new Error('this process has not been given a symbolicator')
  return symbolicator
}
