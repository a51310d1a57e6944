import type { ExceptionValue } from '#protocol/event.ts'
import type { IgnoredParts, Part } from '../fingerprint.ts'

/** The parts of an exception, without its causes. */
export type PartsOf = (exception: ExceptionValue) => Part[]

/** The rules of version 1 that a later version replaces. All else is the same in every version. */
export type Rules = {
  /** Replaces each value in a message by its kind. */
  parametrize: (message: string) => string
  /** Shortens the path of a file whose name many folders have, outside of the folders `app`, `pages` and `src`. */
  shortenPath: (path: string) => string
  /** The errors of a chain that count: a group of errors counts each different one once. */
  distinctErrors: (chain: ExceptionValue[], partsOf: PartsOf, ignored: IgnoredParts) => ExceptionValue[]
  /** Whether the message counts beside the stack if the line of code at the throw is too long to be compared. */
  countsMessageOfLongLine: boolean
  /** Whether the route separates hydration errors without own frames. If not, the frames of React do. */
  separatesHydrationByRoute: boolean
}
