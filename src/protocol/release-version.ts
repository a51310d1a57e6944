const maxChars = 250 // Sentry's own

/** Any text of one line can name a release, `/` and `@` included; a step of a path cannot. */
export function isReleaseVersion(version: string): boolean {
  return version.trim() !== '' && version.length <= maxChars && !/^\.{1,2}$|\p{Cc}/u.test(version)
}
