import type { Frame } from '#protocol/event.ts'

const noName = new Set(['', '?', '<anonymous>', '<anonymous function>', 'Anonymous function', 'anonymous', '<unknown>'])
/** V8's `async load`, `new Cart`. */
const decoration = /^(?:async |new |get |set |static )+/

/** The function's own name, '' when it has none: `Object.pay`, `o.pay` and `pay` are the same to three engines. */
export function functionOf(frame: Frame): string {
  const given = frame.function
  // Firefox writes `pay/<` for a function without a name inside pay.
  if (typeof given !== 'string' || noName.has(given) || given.endsWith('/<')) return ''
  const plain = given.includes(' ') ? withoutAlias(given.replace(decoration, '')) : given
  const name = plain.slice(plain.lastIndexOf('.') + 1)
  return noName.has(name) ? '' : name
}

/** V8's `pay [as onClick]` is `pay`. */
function withoutAlias(name: string): string {
  if (!name.endsWith(']')) return name
  const at = name.indexOf(' [as ', name.lastIndexOf(']', name.length - 2) + 1)
  return at === -1 ? name : name.slice(0, at)
}
