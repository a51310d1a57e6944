import { memberName } from './member-name.ts'

/** Chars. Shorter names are the minifier's, and another one's after the next build. */
const minNameChars = 3

/** What was called: `e.cart.pay`, `(0 , r.pay)` and `e.pay(...).pay` are `pay`; the name of a minified variable is none. */
export function calleeName(callee: string): string {
  const plain = callee.replace(/^\(0\s?,\s?|\)$/g, '')
  const name = memberName(plain) || (/^[\w$]+$/.test(plain) ? plain : '')
  const isWord = name.length >= minNameChars && name !== 'undefined' && name !== 'null' && name !== 'object'
  return isWord ? name : '(unnamed)'
}
