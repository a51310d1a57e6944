/** Which packages a release needs at run time, and the lock file that pins them. */

const builtFrom = new Set([
  // The pages are in the package as Next has built them.
  '@fontsource-variable/geist',
  '@fontsource-variable/geist-mono',
  '@sentry/browser',
  '@tanstack/react-virtual',
  'lucide-react',
  'typescript',
])

type Names = Record<string, string>
type Project = {
  name: string
  version: string
  description: string
  license: string
  engines: Names
  overrides: Names
  dependencies: Names
}
type Locked = {
  dependencies?: Names
  optionalDependencies?: Names
  peerDependencies?: Names
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
export type Lock = { lockfileVersion: number; packages: Record<string, Locked> }

export type Manifest = ReturnType<typeof packageJson>

export function packageJson(project: Project) {
  const { name, version, description, license, engines, overrides } = project
  const dependencies = Object.fromEntries(
    Object.entries(project.dependencies).filter(([dependency]) => !builtFrom.has(dependency)),
  )
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { hydrant: 'bin/hydrant.mjs' },
    imports: { '#*': './lib/*' },
    dependencies,
    overrides,
  }
}

/** The entries of `package-lock.json` that `manifest` reaches, found as Node finds packages. */
export function shrinkwrap(lock: Lock, manifest: Manifest) {
  const { name, version, license, dependencies, bin, engines } = manifest
  const kept: Record<string, object> = { '': { name, version, license, dependencies, bin, engines } }
  const waiting: [string, string[]][] = [['', Object.keys(dependencies)]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, names] = next
    for (const dependency of names) {
      const path = findPackage(lock.packages, from, dependency)
      const entry = path === null ? undefined : lock.packages[path]
      if (path === null || entry === undefined || path in kept) continue
      kept[path] = entry
      const peers = Object.keys(entry.peerDependencies ?? {}).filter(
        peer => entry.peerDependenciesMeta?.[peer]?.optional !== true,
      )
      waiting.push([path, [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]])
    }
  }
  const packages = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { name, version, lockfileVersion: lock.lockfileVersion, requires: true, packages }
}

/** In the package's own node_modules, then in those of the folders above. Null if this lock file has none, as for another system. */
function findPackage(packages: Lock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return null
  }
}
