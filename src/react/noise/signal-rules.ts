import type { NoiseRule } from './noise-rule.ts'

const cancelled = [
  /^(?:Error: )?(?:Route Cancelled|Cancel rendering route|Loading initial props cancelled)\.?$/i,
  /^(?:Error: )?Abort fetching component for route: /,
  /^(?:Error: )?(?:Route change (?:was )?(?:aborted|cancelled)|Navigation (?:was )?(?:aborted|cancelled))\b/i,
  /^(?:Error: )?navigation cancell?ed from .{0,300} to /s,
]

const aborted = [
  /^(?:AbortError: )?(?:signal is aborted without reason|The user aborted a request)\.?$/,
  /^(?:AbortError: )?(?:The operation was aborted|Fetch is aborted|Fetch request was aborted|This operation was aborted)\.? ?$/,
  /^(?:AbortError: )?The play\(\) request was interrupted by /,
]

/** Control flow of frameworks, and work that ends because the user moves on. */
export const signalRules: readonly NoiseRule[] = [
  {
    id: 'framework-signals',
    name: 'Redirects and not-found signals',
    why: 'redirect(), notFound() and thrown responses work by throwing; an error boundary or a wrapper reported them as errors.',
    byDefault: 'on',
    matches: ({ controlFlow }) => controlFlow === 'signal',
  },
  {
    id: 'not-found',
    name: 'URLs that do not exist',
    why: 'A broken link or a scanner requested a page that the app does not have. The router reported it as an error.',
    byDefault: 'on',
    matches: ({ controlFlow }) => controlFlow === 'not-found',
  },
  {
    id: 'cancelled-routes',
    name: 'Canceled navigations',
    why: 'The user clicked again before the page was loaded.',
    byDefault: 'on',
    matches: ({ event, value }) => cancelled.some(wording => wording.test(value)) || saysCancelled(event.extra),
  },
  {
    id: 'aborted-requests',
    name: 'Aborted requests in the browser',
    why: 'The user left the page, or its code canceled a request. Aborts on the server are kept because they may be timeouts.',
    byDefault: 'on',
    matches: ({ isBrowser, type, value }) =>
      isBrowser && (type === 'AbortError' || type === 'DOMException' || type === 'Error') && isAborted(value),
  },
]

const isAborted = (value: string): boolean => aborted.some(wording => wording.test(value))

/** The Pages Router of Next.js sets `cancelled` on its error; SDKs send it in `extra`. */
function saysCancelled(extra: unknown): boolean {
  const error = typeof extra === 'object' && extra !== null && 'Error' in extra ? extra.Error : undefined
  return typeof error === 'object' && error !== null && 'cancelled' in error && error.cancelled === true
}
