/** A React error as people need it told: what it means, what usually causes it, what to do next. */
export type ReactErrorEntry = {
  code: number
  /** A few words, for a heading. */
  name: string
  means: string
  cause: string
  next: string
  /** What the arguments are, in order; those without a word are shown by their number. */
  args?: readonly string[]
}

/** What a minified React error says: its number, and the words that its text would have been filled with. */
type ReactError = { code: number; args: string[] }

const minified = /\bminified react error #(\d{1,4})\b/i
/** The address was another one before React 18.3. */
const address = /https:\/\/(?:react\.dev\/errors\/\d{1,4}|reactjs\.org\/docs\/error-decoder\.html)\?(\S+)/

/** Null where the text is not React's, or not minified. */
export function readReactError(message: string): ReactError | null {
  const code = minified.exec(message)?.[1]
  if (code === undefined) return null
  const query = address.exec(message)?.[1] ?? ''
  return { code: Number(code), args: new URLSearchParams(query).getAll('args[]') }
}
