import { readReactError } from '../react-errors/react-error.ts'
import type { RedactedError } from './framework.ts'

const codes = new Set([419, 441])

/** Of React itself, in every framework: by its code in production, by its message in development. */
export const redactedByReact: readonly RedactedError[] = [
  {
    why: 'React streams only the code of an error that a server component or an SSR render threw.',
    matches: value => codes.has(readReactError(value)?.code ?? 0),
  },
  {
    why: 'The messages of these codes, as a development build has them.',
    matches: value =>
      /^(?:The server could not finish this Suspense boundary|Switched to client rendering because the server rendering (?:errored|aborted))/.test(
        value,
      ),
  },
]
