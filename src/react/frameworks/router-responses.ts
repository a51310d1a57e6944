/** What React Router and Remix, which has the same router, throw. */
import type { ControlFlow, MissingFile, RedactedError } from './framework.ts'

/** A file of a build, by the hash in its name. A name of lower-case letters alone is a word. */
const builtFile = /^No route matches URL "(\/[^"]{0,500}-(?=[\w-]{0,7}[\dA-Z])[\w-]{8}\.(?:m?js|css))"$/

export const isNoMatch: ControlFlow = {
  kind: 'not-found',
  why: 'The router throws this for a URL without a route; one of a built file is left to deploy skew.',
  matches: ({ value, status }) =>
    value.startsWith('No route matches URL "') && (status === null || status === 404) && !builtFile.test(value),
}

export const missingFile: MissingFile = {
  why: 'The server has no file of that name, so its router looks for a route: an open tab of an older build asked for it.',
  pattern: builtFile,
}

export const isThrownOnPurpose: ControlFlow = {
  kind: 'signal',
  why: 'Loaders and actions throw a Response to redirect, or to say what does not exist or is not allowed.',
  matches: ({ value, status }) =>
    status !== null && status < 500 && value.startsWith('Object captured as exception with keys: '),
}

export const isRedacted: RedactedError = {
  why: 'In production the router sends this in place of the message of a failed loader, action or render.',
  matches: value => value === 'Unexpected Server Error',
}
