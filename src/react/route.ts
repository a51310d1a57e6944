/**
 * One name for one route. Next's server says `GET /items/[id]`, its browser SDK `/items/:id`, its compiler `/items/[id]/page`;
 * all become `/items/[id]`: the path in Next's file syntax, without method.
 */
const cache = new Map<string, string>()
const cacheEntries = 5_000
/** Chars. A longer one is no route that somebody wrote. */
const maxChars = 512

/** '' when the text names no path: `Router`, `middleware GET`, `serverAction/submitOrder`. */
export function routeOf(raw: string): string {
  if (raw === '' || raw === '/') return raw
  const known = cache.get(raw)
  if (known !== undefined) return known
  const route = raw.length > maxChars ? '' : normalize(raw)
  if (cache.size >= cacheEntries) cache.clear()
  if (raw.length <= maxChars) cache.set(raw, route)
  return route
}

const methods = /^(?:[A-Z]+ )+(?=\/)/
/** Only after a dynamic segment, or in what is plainly a path of folders: `/blog/page` is a route that somebody may have. */
const fileName = /(?<=\]\/)(?:page|route|layout)$/
const fileInFolders = /(?<=\/)(?:page|route|layout)$/
const folderSign = /\/(?:@|\([^.)]+\)(?:\/|$))/

/** `:slug*?` and `:id?` end in a mark that begins no query. */
const query = /(?<!:[\w-]{1,64}\*?)\?.*$|#.*$/s

function normalize(raw: string): string {
  const path = raw.trim().replace(methods, '')
  if (!path.startsWith('/')) return ''
  const plain = path.replace(query, '').replace(folderSign.test(path) ? fileInFolders : fileName, '')
  return `/${toAddress(plain.split('/').filter(isPartOfUrl)).map(toFileSyntax).join('/')}`
}

/** Route groups `(shop)` and slots `@modal` are folders, not parts of the address. */
function isPartOfUrl(segment: string): boolean {
  return segment !== '' && !segment.startsWith('@') && !/^\([^.)]+\)$/.test(segment)
}

const interception = /^((?:\(\.\.\))+|\(\.\.\.\)|\(\.\))(.+)$/

/** An intercepting folder stands in for a page elsewhere: `(.)x` beside it, `(..)x` one level up, `(...)x` at the root. */
function toAddress(segments: readonly string[]): string[] {
  const address: string[] = []
  for (const segment of segments) {
    const [, marks = '', name = segment] = interception.exec(segment) ?? []
    if (marks === '(...)') address.length = 0
    else if (marks.startsWith('(..)')) address.length = Math.max(0, address.length - marks.length / '(..)'.length)
    address.push(name)
  }
  return address
}

const colonParameter = /^:([\w-]+)(\*\?|\*|\+|\?)?$/

function toFileSyntax(segment: string): string {
  if (segment.startsWith('{') && segment.endsWith('}')) return `[${segment.slice(1, -1)}]`
  const match = colonParameter.exec(segment)
  if (match === null) return segment
  const [, name, mark] = match
  if (mark === '*?') return `[[...${name}]]`
  if (mark === '*' || mark === '+') return `[...${name}]`
  return mark === '?' ? `[[${name}]]` : `[${name}]`
}

const wholeParameter = /(?<=\/):[\w-]+(?:\*\?|\*|\+|\?)?(?=\/|$)/g

/** What a search for a route means, in the spelling that is stored: `/users/:id`, `GET /users/{id}` and `/users/[id]` are one. The parts stand around wildcards. */
export function routeParts(parts: readonly string[]): string[] {
  const [only = ''] = parts
  if (parts.length === 1) return [routeOf(only) || only]
  return parts.map(part => part.replace(wholeParameter, toFileSyntax))
}
