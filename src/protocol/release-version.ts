const maxChars = 250 // Sentry's own

/** Any single line is a valid release name, including `/` and `@`, except `.` and `..`. */
export function isReleaseVersion(version: string): boolean {
  return version.trim() !== '' && version.length <= maxChars && !/^\.{1,2}$|\p{Cc}/u.test(version)
}
