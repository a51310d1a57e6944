/** What browsers say by themselves. */
import type { NoiseRule } from './noise-rule.ts'

export const pageRules: readonly NoiseRule[] = [
  {
    id: 'resize-observer',
    name: 'ResizeObserver loops',
    why: 'The browser put off a notification to the next frame. Nothing is broken.',
    byDefault: 'on',
    matches: ({ isBrowser, value }) =>
      isBrowser && /^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?$/.test(value),
  },
  {
    id: 'script-error',
    name: 'Script errors of other origins',
    why: 'The browser hides what went wrong in a script that was loaded without crossorigin: no message, no stack.',
    byDefault: 'on',
    matches: ({ isBrowser, event, value }) =>
      isBrowser && /^(?:Uncaught )?Script error\.?$/.test(value) && !hasFrames(event),
  },
]

const hasFrames = (event: { exception?: { values: { stacktrace?: { frames: unknown[] } }[] } }): boolean =>
  event.exception?.values.some(({ stacktrace }) => (stacktrace?.frames.length ?? 0) > 1) === true
