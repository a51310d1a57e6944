/** The URL of a release. Versions may contain slashes, so the version is encoded as one segment. */
export function releaseHref(organizationSlug: string, version: string): string {
  return `/${organizationSlug}/releases/${encodeURIComponent(version)}`
}
