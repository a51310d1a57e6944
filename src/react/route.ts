import type { RouteSyntax } from './frameworks/framework.ts'

const caches = new WeakMap<RouteSyntax, Map<string, string>>()
const cacheEntries = 5_000
/** The spellings that any framework may send. */
const common: RouteSyntax = { routeSegments: [] }
/** Chars. A longer text is not a route. */
const maxChars = 512

/**
 * One spelling for a route: the path in the file syntax of Next.js, without method. The server writes `GET /items/[id]`, the browser
 * SDK `/items/:id`, the compiler `/items/[id]/page`; all become `/items/[id]`. '' if the text is not a path: `middleware GET`.
 * `syntax` is that of the app's framework.
 */
export function routeOf(raw: string, syntax: RouteSyntax = common): string {
  if (raw === '' || raw === '/') return raw
  const cache = cacheOf(syntax)
  const known = cache.get(raw)
  if (known !== undefined) return known
  const route = raw.length > maxChars ? '' : normalize(raw, syntax)
  if (cache.size >= cacheEntries) cache.clear()
  if (raw.length <= maxChars) cache.set(raw, route)
  return route
}

function cacheOf(syntax: RouteSyntax): Map<string, string> {
  let cache = caches.get(syntax)
  if (cache === undefined) caches.set(syntax, (cache = new Map()))
  return cache
}

const methods = /^(?:[A-Z]+ )+(?=\/)/
/** Only after a dynamic segment, or in a path with route groups or slots: `/blog/page` may be a real route. */
const fileName = /(?<=\]\/)(?:page|route|layout)$/
const fileInFolders = /(?<=\/)(?:page|route|layout)$/
const folderSign = /\/(?:@|\([^.)]+\)(?:\/|$))/

/** The `?` of `:slug*?` and `:id?` does not start a query. */
const query = /(?<!:[\w-]{1,64}\*?)\?.*$|#.*$/s

function normalize(raw: string, syntax: RouteSyntax): string {
  const path = raw.trim().replace(methods, '')
  if (!path.startsWith('/')) return ''
  const plain = path.replace(query, '').replace(folderSign.test(path) ? fileInFolders : fileName, '')
  const segments = plain.split('/').map(segment => toCommon(segment, syntax))
  return `/${toAddress(segments.filter(isPartOfUrl)).map(toFileSyntax).join('/')}`
}

function toCommon(segment: string, { routeSegments }: RouteSyntax): string {
  const own = routeSegments.find(({ pattern }) => pattern.test(segment))
  return own === undefined ? segment : segment.replace(own.pattern, own.spelled)
}

/** Route groups `(shop)` and slots `@modal` are folders, not part of the URL. */
function isPartOfUrl(segment: string): boolean {
  return segment !== '' && !segment.startsWith('@') && !/^\([^.)]+\)$/.test(segment)
}

const interception = /^((?:\(\.\.\))+|\(\.\.\.\)|\(\.\))(.+)$/

/** Intercepting routes show a page of another folder: `(.)x` of the same level, `(..)x` one level up, `(...)x` of the root. */
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

/** The parts of a route search (between wildcards) in the stored spelling: `/users/:id` and `GET /users/{id}` become `/users/[id]`. */
export function routeParts(parts: readonly string[]): string[] {
  const [only = ''] = parts
  if (parts.length === 1) return [routeOf(only) || only]
  return parts.map(part => part.replace(wholeParameter, toFileSyntax))
}
