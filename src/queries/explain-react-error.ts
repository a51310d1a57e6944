import { findReactError } from '#lens/react-errors/find-react-error.ts'
import type { ReactErrorEntry } from '#lens/react-errors/react-error.ts'
import { reactErrorAddress, readMinifiedError } from '#lens/react-errors/read-minified-error.ts'

export type ReactErrorExplanation = {
  code: number
  /** Null for a code that we have no words for; the address has React's own. */
  entry: ReactErrorEntry | null
  args: { label: string; value: string }[]
  isTruncated: boolean
  address: string
}

/** What a message of a production build of React says; null when it is another message. */
export function explainReactError(message: string): ReactErrorExplanation | null {
  const read = readMinifiedError(message)
  if (read === null) return null
  const entry = findReactError(read.code)
  const args = read.args.map((value, at) => ({ label: entry?.args?.[at] ?? `Argument ${at + 1}`, value }))
  return {
    code: read.code,
    entry,
    args: args.filter(({ value }) => value !== ''),
    isTruncated: read.isTruncated,
    address: reactErrorAddress(read.code),
  }
}
