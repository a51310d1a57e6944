/** The page to open after sign-in comes from the browser, so it must be a path of this server: never `//evil` or `/\evil`. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path) || /\p{Cc}/u.test(path)) return '/'
  return path
}

/** The page that asks for the code of the authenticator app, then continues. */
export const codePath = (next: string): string =>
  next === '/' ? '/login/two-factor' : `/login/two-factor?next=${encodeURIComponent(next)}`

/** The page that says what has ended with the sign-in, and goes on if that is nothing. */
export const endedPath = (next: string): string =>
  next === '/' ? '/login/ended' : `/login/ended?next=${encodeURIComponent(next)}`

/** The page that asks for a second factor, because the organization requires one or it is about to be changed. */
export const secondFactorPath = (next: string): string =>
  next === '/' ? '/login/second-factor' : `/login/second-factor?next=${encodeURIComponent(next)}`
