/** The address of a release. Names hold slashes and signs, so the name is one encoded part of it. */
export function releaseHref(organizationSlug: string, version: string): string {
  return `/${organizationSlug}/releases/${encodeURIComponent(version)}`
}

/** The name in an address. One that is not encoded well is taken as it stands, and will simply not be found. */
export function readReleaseName(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
