import type { Frame } from '#protocol/event.ts'

const noName = new Set(['', '?', '<anonymous>', '<anonymous function>', 'Anonymous function', 'anonymous', '<unknown>'])
/** V8's `async load`, `new Cart`, `pay [as onClick]`. */
const decoration = /^(?:async |new |get |set |static )+| \[as [^\]]*\]$/g

/** The function's own name, '' when it has none: `Object.pay`, `o.pay` and `pay` are the same to three engines. */
export function functionOf(frame: Frame): string {
  const given = frame.function
  // Firefox writes `pay/<` for a function without a name inside pay.
  if (typeof given !== 'string' || noName.has(given) || given.endsWith('/<')) return ''
  const plain = given.includes(' ') ? given.replace(decoration, '') : given
  const name = plain.slice(plain.lastIndexOf('.') + 1)
  return noName.has(name) ? '' : name
}
