import { isObject, textOf } from '#lib/json-value.ts'

/** Pairs: more would only be noise. */
const maxPairs = 500

/** Query strings and cookies as pairs. SDKs send text, pairs or an object; null for anything else. */
export function readPairs(given: unknown, separator: '&' | ';'): [string, string][] | null {
  if (typeof given === 'string') return separator === '&' ? readQuery(given) : readCookies(given)
  if (Array.isArray(given)) {
    return given
      .filter(each => Array.isArray(each))
      .slice(0, maxPairs)
      .map(([name, value]) => [textOf(name), joinedText(value)])
  }
  return isObject(given)
    ? Object.entries(given)
        .slice(0, maxPairs)
        .map(([name, value]) => [name, joinedText(value)])
    : null
}

/** Some frameworks have a list of values for each name. */
const joinedText = (value: unknown): string => (Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value))

const readQuery = (text: string): [string, string][] => [...new URLSearchParams(text)].slice(0, maxPairs)

function readCookies(text: string): [string, string][] {
  return text
    .split(';', maxPairs)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const at = part.indexOf('=')
      return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    })
}
