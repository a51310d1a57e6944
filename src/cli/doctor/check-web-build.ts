import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, ok, warn } from './check.ts'

const name = 'pages'
const fix = 'npm start builds them.'

/** By modification times, which is quick; npm start itself compares contents. */
export function checkWebBuild(root = join(import.meta.dirname, '..', '..', '..')): Check {
  const build = join(root, '.next', 'BUILD_ID')
  if (!existsSync(build)) return warn(name, 'The pages have not been built yet.', fix)
  const builtAt = statSync(build).mtimeMs
  const newer = globSync('src/**/*.{ts,tsx,css}', { cwd: root }).filter(
    path => !/\.test\.tsx?$/.test(path) && statSync(join(root, path)).mtimeMs > builtAt,
  )
  if (newer.length === 0) return ok(name, 'The pages are built from the present sources.')
  return warn(name, `${newer.length} source files are newer than the built pages.`, fix)
}
