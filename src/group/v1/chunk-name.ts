/**
 * A bundled file by what stays the same from one deploy to the next: `app:///_next/static/chunks/3hzl-0c-pszdd.js` is one chunk among
 * others, `app:///_next/static/chunks/app/items/[id]/page-6e3f.js` is that page.
 */
const query = /[?#].*$/s
const extension = /\.(?:js|mjs|cjs)$/
/** webpack's `name-hash` and Turbopack's `name_hash`. */
const trailingHash = /[-._~](?=[a-f]*\d)[0-9a-f]{7,40}$/i
/** Turbopack's bare names have 13 characters; webpack's are numbers or hex. */
const bareHash = /^(?:(?=[^\d]*\d)[0-9a-z_~-]{13}|_?(?=[a-f]*\d)[0-9a-f]{7,40}|\d+)$/i

export function chunkName(file: string): string {
  const path = file.replace(query, '').replace(/^[a-z]+:\/\/\/?/i, '')
  const slash = path.lastIndexOf('/')
  const base = path
    .slice(slash + 1)
    .replace(extension, '')
    .replace(/\._$/, '')
  const stable = bareHash.test(base) ? '' : base.replace(trailingHash, '')
  const folder = path.slice(0, Math.max(0, slash))
  // The host of an address that is not `app:///` differs between stages; Next's own folders do not.
  const kept = folder.includes('_next/') ? folder.slice(folder.indexOf('_next/')) : ''
  return `${kept}/${stable === '' ? '<chunk>' : stable}`
}
