import { compareReleases } from '#lib/compare-releases.ts'

type Named = { version: string }

/** One name of each form that can be compared: what compares with it has that form. */
const probes = ['0.0.0', '2000-01-01', '0']

/**
 * The highest version first, package by package. Names that do not compare (hashes) stand behind those that do, in the order
 * they came in. By groups, because "cannot be compared" is no order that a sort could work with.
 */
export function sortByVersion<Release extends Named>(releases: readonly Release[]): Release[] {
  const groups = Map.groupBy(releases, ({ version }) => groupOf(version))
  const names = [...groups.keys()].sort()
  return names.flatMap(name => {
    const group = [...(groups.get(name) ?? [])]
    return name.endsWith(' none') ? group : group.sort((a, b) => compareReleases(b.version, a.version) ?? 0)
  })
}

function groupOf(version: string): string {
  const at = version.lastIndexOf('@')
  const name = at > 0 ? version.slice(0, at) : ''
  const form = probes.findIndex(probe => compareReleases(version, name ? `${name}@${probe}` : probe) !== null)
  return `${name} ${form < 0 ? 'none' : form}`
}
