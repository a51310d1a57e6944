import { type Check, fail, ok } from './check.ts'

const wantedMajor = 24

/** The database driver has no build for older ones and ends the process without a word. */
export function checkNode(version: string): Check {
  const major = Number(version.split('.')[0])
  if (major >= wantedMajor) return ok('node', `Node ${version}.`)
  return fail(
    'node',
    `Node ${version} is older than ${wantedMajor}.`,
    'Use npm run hydrant, which brings its own Node.',
  )
}
