/** An explained React error: what it means, what usually causes it, what to do next. */
export type ReactErrorEntry = {
  code: number
  /** A few words, for a heading. */
  name: string
  means: string
  cause: string
  next: string
  /** Labels of the arguments, in order; others are shown by number. */
  args?: readonly string[]
}

/** A minified React error: its code and the arguments of its message. */
type ReactError = { code: number; args: string[] }

const minified = /\bminified react error #(\d{1,4})\b/i
/** Before React 18.3 the URL was a different one. */
const address = /https:\/\/(?:react\.dev\/errors\/\d{1,4}|reactjs\.org\/docs\/error-decoder\.html)\?(\S+)/

/** Null if the message is not a minified React error. */
export function readReactError(message: string): ReactError | null {
  const code = minified.exec(message)?.[1]
  if (code === undefined) return null
  const query = address.exec(message)?.[1] ?? ''
  return { code: Number(code), args: new URLSearchParams(query).getAll('args[]') }
}
