/** An element inside a parent that may not contain it: the HTML parser moves it out, so the DOM never matches React's tree. */
type BadNesting = { outer: string; inner: string }

const blocks =
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul'
const mayNotHold = new Map<string, ReadonlySet<string>>([
  ['p', new Set(blocks.split(' '))],
  ['a', new Set(['a'])],
  ['button', new Set(['button'])],
  ['form', new Set(['form'])],
  ['option', new Set(['div', 'span', 'p'])],
])
/** The only allowed children of a table and its parts. */
const onlyHolds = new Map<string, ReadonlySet<string>>([
  ['table', new Set(['caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'template', 'script'])],
  ['tbody', new Set(['tr', 'template', 'script'])],
  ['thead', new Set(['tr', 'template', 'script'])],
  ['tr', new Set(['td', 'th', 'template', 'script'])],
])
/** Levels. Browsers flatten deeper trees, so nothing can be concluded from them. */
const maxDepth = 512
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const tag = /<(\/?)([a-z][\w-]{0,60})(?![\w-])[^<>]{0,2000}?(\/?)>/gi

export function findBadNesting(html: string): BadNesting | null {
  const open: string[] = []
  for (const [, slash, rawName = '', isClosed] of html.matchAll(tag)) {
    const name = rawName.toLowerCase()
    if (slash === '/') {
      const at = open.lastIndexOf(name)
      if (at !== -1) open.length = at
      continue
    }
    const outer = open.find(each => mayNotHold.get(each)?.has(name))
    if (outer !== undefined) return { outer, inner: name }
    const parent = open.at(-1) ?? ''
    if (onlyHolds.get(parent)?.has(name) === false) return { outer: parent, inner: name }
    if (!empty.has(name) && isClosed !== '/') open.push(name)
    if (open.length > maxDepth) return null
  }
  return null
}
