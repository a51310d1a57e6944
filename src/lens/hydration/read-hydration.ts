import { rememberLast } from '#lib/remember-last.ts'
import { readReactError } from '../react-error.ts'
import { type HydrationWording, hydrationWordings } from './hydration-wordings.ts'

export type HydrationError = {
  about: HydrationWording['about']
  /** React's number, where the text was minified. */
  code: number | null
}

/** Chars. What React says begins with it; the rest is a diff or a component stack. */
const headChars = 400

/** What an error's message says about hydration; null where it says nothing. */
export const readHydration = rememberLast((message: string): Readonly<HydrationError> | null => {
  const minified = readReactError(message.slice(0, headChars))
  if (minified !== null) {
    const known = hydrationWordings.find(({ codes }) => codes.includes(minified.code))
    if (known === undefined) return null
    return { about: aboutArg(minified.args[0]) ?? known.about, code: minified.code }
  }
  const head = message
    .slice(0, headChars)
    .replace(/^Uncaught /, '')
    .replace(/^Error: /, '')
  const known = hydrationWordings.find(({ wordings }) => wordings.some(wording => wording.test(head)))
  return known === undefined ? null : { about: known.about, code: null }
})

/** React 19 fills in which of the two it was. */
function aboutArg(arg: string | undefined): HydrationWording['about'] | null {
  if (arg === 'text') return 'text'
  return arg === 'HTML' ? 'markup' : null
}
