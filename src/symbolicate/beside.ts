import { posix } from 'node:path'

/** Paths inside a bundle mirror addresses: `files/_/_/static/app.js` is `~/static/app.js`. A name is relative to the file that gives it. */
export const beside = (path: string, name: string): string =>
  posix.normalize(posix.join(posix.dirname(path), name.split(/[?#]/, 1)[0] ?? ''))
