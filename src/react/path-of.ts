const origin = /^[a-z][a-z+.-]*:\/\/[^/?#]*/i

/** '' without a URL. */
export function pathOf(url: string): string {
  const path = url.replace(origin, '').split(/[?#]/, 1)[0] ?? ''
  if (path === '') return url === '' ? '' : '/'
  return path.startsWith('/') ? path : ''
}
