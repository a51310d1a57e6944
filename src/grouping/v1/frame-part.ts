import { isObject } from '#lib/json-value.ts'
import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-traits.ts'
import type { Rules } from './rules.ts'

type FramePart = {
  /** `pay in cart: charge(order)`. Never a line number. */
  text: string
  /** False if it names only a file. */
  isExact: boolean
  /** Whether there is a line of code, but too long to be compared. */
  isLineTooLong: boolean
}

export function framePart(frame: Frame, name: string, rules: Rules): FramePart {
  const module = moduleOf(frame, rules)
  const line = codeLineOf(frame)
  // In a mapped frame the line is original code, but the function name may still be minified.
  const shown = line !== '' && isMapped(frame) ? '' : name
  const location = shown === '' ? module : `${shown} in ${module}`
  return {
    text: line === '' ? location : `${location}: ${line}`,
    isExact: shown !== '' || line !== '',
    isLineTooLong: line === '' && hasCode(frame.context_line),
  }
}

const hasCode = (line: unknown): boolean => typeof line === 'string' && /\S/.test(line)

function isMapped(frame: Frame): boolean {
  return isObject(frame.data) && typeof frame.data.sourcemap === 'string'
}

const noName = new Set(['', '?', '<anonymous>', '<anonymous function>', 'Anonymous function', 'anonymous', '<unknown>'])
/** V8's `async load`, `new Cart`. */
const decoration = /^(?:async |new |get |set |static )+/

/** The bare function name, '' for none: engines write `Object.pay`, `o.pay` or `pay` for the same function. */
export function functionOf(frame: Frame): string {
  const given = frame.function
  // Firefox writes `pay/<` for an anonymous function inside pay.
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

/** Chars. Shorter names are minified and change with the next build. */
const minNameChars = 3

/** The called function: `pay` for `e.cart.pay`, `(0 , r.pay)` and `e.pay(...).pay`. A minified variable has no name. */
export function calleeName(callee: string): string {
  const plain = callee.replace(/^\(0\s?,\s?|\)$/g, '')
  const name = memberName(plain) || (/^[\w$]+$/.test(plain) ? plain : '')
  const isWord = name.length >= minNameChars && name !== 'undefined' && name !== 'null' && name !== 'object'
  return isWord ? name : '(unnamed)'
}

/** `e.cart.items` → `items`, `e[0]` → `0`, `e.total = 3` → `total`; '' if the expression does not end in a member. */
const member = /\.#?([\w$]{1,100})$/
const index = /\[["']?([^\]"']{1,100})["']?\]$/

export function memberName(expression: string): string {
  const target = assigned(expression).trim()
  return (member.exec(target) ?? index.exec(target))?.[1] ?? ''
}

const operators = new Set(['??', '||', '&&', '-', '+', '*', '/', '%', '&', '|', '^'])

/** The part before the first `=`, `+=` or `??=`, but not before `==` or `=>`. */
function assigned(expression: string): string {
  for (let at = expression.indexOf('='); at !== -1; at = expression.indexOf('=', at + 1)) {
    const next = expression[at + 1]
    if (next === '=' || next === '>') continue
    const operatorChars = [2, 1].find(chars => operators.has(expression.slice(Math.max(0, at - chars), at))) ?? 0
    return expression.slice(0, at - operatorChars)
  }
  return expression
}

/** Chars. Longer lines are minified or generated. */
const maxLineChars = 120
const uneven = /[^\S ]|\s\s/

/** The line of code without indentation. '' if the line is missing or minified. */
function codeLineOf(frame: Frame): string {
  const line = frame.context_line
  if (typeof line !== 'string' || line.length > 2 * maxLineChars || line.includes('{snip}')) return ''
  const trimmed = line.trim()
  const text = uneven.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed
  return text.length > maxLineChars ? '' : text
}

/** File names that many folders of an app have, so that they need their folder. */
const commonName = /^(?:page|layout|route|template|loading|error|not-found|default|index|actions|middleware)\.\w+$/
/** `chunk-7Q2M3XZA`: a content hash in a file name. At least one digit, so that plain words don't match. */
const buildHash = /[-._~](?=[a-z]*\d)[0-9a-z]{7,40}(?=\.[cm]?js$|$)/i
const query = /[?#].*$/s
const root = /^.*\/(?:app|pages|src)\/(?=.)/
/** Chars: a hash has a separator and at least seven characters. */
const minHashedChars = 9

/** The module, else the file without the folders that differ between machines and deploys. */
function moduleOf(frame: Frame, rules: Rules): string {
  const { module } = frame
  // A module with slashes is a path, with the same differences.
  if (typeof module === 'string' && module !== '' && !module.includes('/')) return withoutHash(module)
  const file = fileOf(frame).replace(query, '').replaceAll('\\', '/')
  const base = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
  if (!commonName.test(base)) return withoutHash(base)
  const fromRoot = file.replace(root, '')
  return fromRoot === file ? rules.shortenPath(file) : fromRoot
}

/** Its last folder and its name. */
export const lastTwo = (path: string): string => path.split('/').slice(-2).join('/')

const withoutHash = (name: string): string => (name.length < minHashedChars ? name : name.replace(buildHash, ''))
