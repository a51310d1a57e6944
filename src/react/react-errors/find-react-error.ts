import { hookErrors } from './codes/hooks.ts'
import { hydrationErrors } from './codes/hydration.ts'
import { renderingErrors } from './codes/rendering.ts'
import { serverErrors } from './codes/server.ts'
import { suspenseErrors } from './codes/suspense.ts'
import type { ReactErrorEntry } from './react-error.ts'

const all = [...hydrationErrors, ...hookErrors, ...renderingErrors, ...serverErrors, ...suspenseErrors]
const byCode = new Map(all.map(entry => [entry.code, entry]))

/** What we have to say about a code; null for the many that people hardly meet. */
export const findReactError = (code: number): ReactErrorEntry | null => byCode.get(code) ?? null

export const knownReactErrors: readonly ReactErrorEntry[] = all

/** What production builds of React say instead of a message: a number, and the message's arguments in an address. */
type MinifiedReactError = {
  code: number
  /** In order, unescaped. */
  args: string[]
  /** The message ended inside the address: the last argument may be cut, and more may be missing. */
  isTruncated: boolean
}

/** Since React 16. The address has moved twice; the number stands in both the sentence and the address. */
const sentence = /Minified React error #(\d{1,4})\b/
const address =
  /(?:https?:\/\/)?(?:react\.dev\/errors\/(\d{1,4})|(?:reactjs\.org|legacy\.reactjs\.org|facebook\.github\.io\/react)\/docs\/error-decoder\.html\?invariant=(\d{1,4}))([^\s"'<>]*)/
const argument = /(?:[?&]|^)args(?:\[\]|%5B%5D)=([^&\s]*)/gi
/** Arguments. React's own messages have at most four. */
const maxArgs = 10
const maxChars = 2_000

export function readMinifiedError(message: string): MinifiedReactError | null {
  const text = message.slice(0, maxChars)
  const stated = sentence.exec(text)?.[1]
  const found = address.exec(text)
  const code = stated ?? found?.[1] ?? found?.[2]
  if (code === undefined) return null
  const query = found?.[3] ?? ''
  const end = found ? found.index + found[0].length : 0
  return {
    code: Number(code),
    args: Array.from(query.matchAll(argument), match => decodeArgument(match[1] ?? '')).slice(0, maxArgs),
    isTruncated: found !== null && end >= text.length && query.includes('args'),
  }
}

/** An escape that was cut in half is left out. */
function decodeArgument(value: string): string {
  const whole = value.replaceAll('+', ' ').replace(/%[\dA-F]?$/i, '')
  try {
    return decodeURIComponent(whole)
  } catch {
    return decodeWhole(whole)
  }
}

/** Each escape by itself, where one of them is no UTF-8: better half an argument than none. */
const decodeWhole = (value: string): string =>
  value.replace(/(?:%[\dA-F]{2})+/gi, escapes =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('\uFFFD', ''),
  )

export const reactErrorAddress = (code: number): string => `https://react.dev/errors/${code}`
