/** The minified cart of the fixtures: its files, and the stack of a real error that it throws. */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import type { Frame } from '#protocol/event.ts'

export type Bundler = 'vite' | 'webpack'
export type BuiltCart = { minified: string; map: string; frames: Frame[] }

export const builtCartFolder: string = new URL('./fixtures/maps/', import.meta.url).pathname

/** Frames as a browser's SDK sends them: oldest call first, and only the file's own. */
export function readBuiltCart(bundler: Bundler, file = 'https://shop.example/static/cart.js'): BuiltCart {
  const minified = readFileSync(`${builtCartFolder}${bundler}/cart.js`, 'utf8')
  const map = readFileSync(`${builtCartFolder}${bundler}/cart.js.map`, 'utf8')
  return { minified, map, frames: thrownFrames(minified, file) }
}

/** The frames of the error that a built cart throws when it runs under this URL. */
export function thrownFrames(minified: string, file: string): Frame[] {
  const page: { checkout?: (items: unknown[]) => void } = {}
  runInNewContext(minified, page, { filename: file })
  const stack = thrownBy(() => page.checkout?.([{}]))
  return framesOf(stack, file)
}

function thrownBy(work: () => void): string {
  try {
    work()
  } catch (error) {
    return (error as Error).stack ?? ''
  }
  throw new Error('the cart did not throw')
}

function framesOf(stack: string, file: string): Frame[] {
  const lines = stack.split('\n').filter(line => line.startsWith('    at ') && line.includes(file))
  return lines.reverse().map(line => {
    const [, name = '?', lineno, colno] = /at (?:(\S+) (?:\[.*\] )?)?\(?\S+?:(\d+):(\d+)\)?$/.exec(line) ?? []
    return { filename: file, function: name, lineno: Number(lineno), colno: Number(colno), in_app: true }
  })
}
