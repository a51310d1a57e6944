import { decodePath } from './decode-path.ts'

/** `webpack://_N_E/./app/page.tsx?4a2b`, `turbopack:///[project]/app/page.tsx`, `file:///srv/app/page.tsx`. */
const scheme = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*\/)?/i
const projectRoot = /^\[project\]\//
const loaderHash = /\?[0-9a-f]{4,}$/
const climbing = /^(?:\.{1,2}\/)+/
/** A build's folder on somebody's machine: what follows the root of the project is the same everywhere. */
const dependency = /^.*\/(?=node_modules\/)/

/** A source's name as its author knows it: without the scheme, the folders above the project and the loader's marks. */
export function sourcePath(source: string): string {
  const plain = source.replace(scheme, '').replace(loaderHash, '').replace(projectRoot, '').replace(climbing, '')
  const path = decodePath(plain).replace(dependency, '')
  return path === '' ? source : path
}
