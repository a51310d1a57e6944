/** The page to open after sign-in comes from the browser, so it must be a path of this server: never `//evil` or `/\evil`. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path) || /\p{Cc}/u.test(path)) return '/'
  return path
}
