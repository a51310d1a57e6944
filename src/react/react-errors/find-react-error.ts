import { hookErrors } from './codes/hooks.ts'
import { hydrationErrors } from './codes/hydration.ts'
import { renderingErrors } from './codes/rendering.ts'
import { serverErrors } from './codes/server.ts'
import { suspenseErrors } from './codes/suspense.ts'
import type { ReactErrorEntry } from './react-error.ts'

const all = [...hydrationErrors, ...hookErrors, ...renderingErrors, ...serverErrors, ...suspenseErrors]
const byCode = new Map(all.map(entry => [entry.code, entry]))

/** Our explanation of an error code; null for rare codes. */
export const findReactError = (code: number): ReactErrorEntry | null => byCode.get(code) ?? null

export const knownReactErrors: readonly ReactErrorEntry[] = all

/** Production builds of React replace messages by a code and a URL with the arguments. */
type MinifiedReactError = {
  code: number
  /** In order, unescaped. */
  args: string[]
  /** The message was cut inside the URL: the last argument may be incomplete, and more may be missing. */
  isTruncated: boolean
}

/** Since React 16. The URL has moved twice; both the sentence and the URL contain the code. */
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

/** Drops an escape that was cut in half. */
function decodeArgument(value: string): string {
  const whole = value.replaceAll('+', ' ').replace(/%[\dA-F]?$/i, '')
  try {
    return decodeURIComponent(whole)
  } catch {
    return decodeLoosely(whole)
  }
}

/** Decodes each escape on its own if the whole is not valid UTF-8: half an argument is better than none. */
const decodeLoosely = (value: string): string =>
  value.replace(/(?:%[\dA-F]{2})+/gi, escapes =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8').replaceAll('\uFFFD', ''),
  )

export const reactErrorUrl = (code: number): string => `https://react.dev/errors/${code}`
