/** The address of a release. Names hold slashes and signs, so the name is one encoded part of it. */
export function releaseHref(organizationSlug: string, version: string): string {
  return `/${organizationSlug}/releases/${encodeURIComponent(version)}`
}
