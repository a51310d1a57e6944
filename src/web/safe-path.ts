/** Where to go after sign-in comes from the browser, so it may only be a path of our own: never `//evil` or `/\evil`. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path) || /\p{Cc}/u.test(path)) return '/'
  return path
}
