/**
 * Which of two releases is newer, if their names tell: `1.2.3`, `shop@1.2.3`, `shop@1.2.3+45`, `1042`, `2026-11-15`.
 * Null if they do not: commit hashes, different packages, forms that cannot be compared.
 */
type Version =
  /** `parts` in order of weight; `suffix` after them, which makes a version older (`-rc.1`) or newer (a second deploy of a day). */
  { form: 'semver' | 'date' | 'number'; parts: bigint[]; suffix: string[]; build: string[] }

export function compareReleases(left: string, right: string): number | null {
  if (left === right) return 0
  const [leftName, leftVersion] = splitPackage(left)
  const [rightName, rightVersion] = splitPackage(right)
  if (leftName !== rightName) return null
  const a = parseVersion(leftVersion)
  const b = parseVersion(rightVersion)
  if (a === null || b === null || a.form !== b.form) return null
  return compareParts(a.parts, b.parts) || compareSuffixes(a, b) || compareBuilds(a.build, b.build)
}

/** Splits at the last `@` that is not the first character: `@scope/name@1.2.3`. */
function splitPackage(release: string): [name: string, version: string] {
  const at = release.lastIndexOf('@')
  return at > 0 ? [release.slice(0, at), release.slice(at + 1)] : ['', release]
}

const date = /^(\d{4})([-.])(0?[1-9]|1[0-2])([-.])(0?[1-9]|[12]\d|3[01])(?:[T._+-]([\w.:+-]+))?$/
const semver = /^v?(\d{1,18})\.(\d{1,18})(?:\.(\d{1,18}))?(?:\.(\d{1,18}))?(?:-([\w.-]+))?(?:\+([\w.-]+))?$/
const number = /^\d{1,18}$/

function parseVersion(version: string): Version | null {
  const day = date.exec(version)
  if (day && day[2] === day[4] && Number(day[1]) >= 1990)
    return { form: 'date', parts: numbers([day[1], day[3], day[5]]), suffix: identifiers(day[6]), build: [] }
  const match = semver.exec(version)
  if (match)
    return {
      form: 'semver',
      parts: numbers(match.slice(1, 5)),
      suffix: identifiers(match[5]),
      build: identifiers(match[6]),
    }
  return number.test(version) ? { form: 'number', parts: [BigInt(version)], suffix: [], build: [] } : null
}

const numbers = (texts: (string | undefined)[]): bigint[] => texts.map(text => BigInt(text ?? 0))
const identifiers = (text: string | undefined): string[] => text?.split(/[.:_+-]/).filter(part => part !== '') ?? []

function compareParts(left: bigint[], right: bigint[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index] ?? 0n
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}

/** A pre-release comes before its release; the second deploy of a day comes after the first. */
function compareSuffixes(left: Version, right: Version): number {
  const without = left.form === 'semver' ? 1 : -1
  if (left.suffix.length === 0 || right.suffix.length === 0) {
    if (left.suffix.length === right.suffix.length) return 0
    return left.suffix.length === 0 ? without : -without
  }
  return compareIdentifiers(left.suffix, right.suffix)
}

function compareIdentifiers(left: string[], right: string[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (part === other) continue
    const [isNumber, isOtherNumber] = [number.test(part), number.test(other)]
    if (isNumber && isOtherNumber) return BigInt(part) < BigInt(other) ? -1 : BigInt(part) > BigInt(other) ? 1 : 0
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return part < other ? -1 : 1
  }
  return left.length === right.length ? 0 : -1
}

/** Build numbers increase; a commit hash as build has no order. */
function compareBuilds(left: string[], right: string[]): number | null {
  if (left.join('.') === right.join('.')) return 0
  const isCounted = [...left, ...right].every(part => number.test(part))
  return isCounted ? compareIdentifiers(left, right) : null
}

export type SeenRelease = { version: string; firstSeen: number }

/** Compares by name if possible, otherwise by the time when each was first seen. */
export function isNewerRelease(candidate: SeenRelease, than: SeenRelease): boolean {
  const order = compareReleases(candidate.version, than.version)
  return order === null ? candidate.firstSeen > than.firstSeen : order > 0
}

export function newestRelease(releases: readonly SeenRelease[]): SeenRelease | null {
  let newest: SeenRelease | null = null
  for (const release of releases) if (newest === null || isNewerRelease(release, newest)) newest = release
  return newest
}
