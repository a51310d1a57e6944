/**
 * Makes nodes of a recorded page harmless. Anybody with the public key of a project can send a recording, and the player builds its nodes
 * in a document of our origin: what could run, load or lead elsewhere is taken out here, before the player document gets it.
 */

import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { sanitizeCss } from './sanitize-css.ts'

/** An element whose attributes mean something else than those of others. */
type Special = { tagName: string; width: unknown; height: unknown }

/**
 * `left` counts down over all nodes of the page. `styleIds` are the elements whose text is CSS, and that text. `stylesheets` are those
 * that were not recorded and are not loaded.
 */
export type NodeBounds = {
  left: number
  cut: number
  keepsRemote: boolean
  styleIds: Set<number>
  specials: Map<number, Special>
  stylesheets: number
}

const maxDepth = 512
const maxAttributes = 200
const nodeTypes = { document: 0, doctype: 1, element: 2, text: 3, cdata: 4, comment: 5 } as const

/** Null for what is no node. */
export function sanitizeNode(value: unknown, bounds: NodeBounds, parent = '', depth = 0): JsonObject | null {
  if (!isObject(value) || !isId(value.id)) return null
  if (--bounds.left < 0) {
    bounds.cut += 1
    return null
  }
  const about = { id: value.id, ...(isId(value.rootId) ? { rootId: value.rootId } : {}) }
  switch (value.type) {
    case nodeTypes.document:
      return {
        ...about,
        type: value.type,
        ...(value.compatMode === 'BackCompat' ? { compatMode: 'BackCompat' } : {}),
        childNodes: childrenOf(value, bounds, '', depth),
      }
    case nodeTypes.doctype:
      return {
        ...about,
        type: value.type,
        name: 'html',
        publicId: short(value.publicId),
        systemId: short(value.systemId),
      }
    case nodeTypes.element:
      return sanitizeElement(value, about, bounds, depth)
    case nodeTypes.text:
      return sanitizeText(value, { ...about, id: value.id }, bounds, parent)
    case nodeTypes.cdata:
    case nodeTypes.comment:
      return { ...about, type: nodeTypes.comment, textContent: '' }
    default:
      return null
  }
}

const isId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id)
const short = (value: unknown): string => (typeof value === 'string' ? clipText(value, 200) : '')

function childrenOf(value: JsonObject, bounds: NodeBounds, parent: string, depth: number): JsonObject[] {
  if (!Array.isArray(value.childNodes)) return []
  if (depth >= maxDepth) {
    bounds.cut += 1
    return []
  }
  const children: JsonObject[] = []
  for (const child of value.childNodes) {
    if (bounds.left <= 0) {
      bounds.cut += 1
      break
    }
    const kept = sanitizeNode(child, bounds, parent, depth + 1)
    if (kept !== null) children.push(kept)
  }
  return children
}

function sanitizeText(
  value: JsonObject,
  about: JsonObject & { id: number },
  { keepsRemote, styleIds }: NodeBounds,
  parent: string,
): JsonObject {
  const text = typeof value.textContent === 'string' ? value.textContent : ''
  const isStyle = parent === 'style' || value.isStyle === true
  if (isStyle) styleIds.add(about.id)
  return {
    ...about,
    type: nodeTypes.text,
    textContent: isStyle ? sanitizeCss(text, keepsRemote) : text,
    ...(isStyle ? { isStyle: true } : {}),
  }
}

/** They run, load or redirect, and show nothing. Their place stays, because later events refer to them. */
const dropped = new Set([
  'script',
  'base',
  'meta',
  'object',
  'embed',
  'applet',
  'frame',
  'frameset',
  'portal',
  'fencedframe',
  'noscript',
  'animate',
  'animatemotion',
  'animatetransform',
  'set',
])

function sanitizeElement(
  value: JsonObject,
  about: JsonObject & { id: number },
  bounds: NodeBounds,
  depth: number,
): JsonObject {
  const tagName = typeof value.tagName === 'string' ? value.tagName.toLowerCase() : ''
  const attributes = objectOf(value.attributes) ?? {}
  const element = { ...about, type: nodeTypes.element }
  const isRemoteStyle = tagName === 'link' && typeof attributes._cssText !== 'string' && isStylesheet(attributes)
  if (isRemoteStyle && !bounds.keepsRemote) bounds.stylesheets += 1
  if (
    !/^[a-z][a-z0-9._:-]{0,99}$/.test(tagName) ||
    dropped.has(localName(tagName)) ||
    (tagName === 'link' && typeof attributes._cssText !== 'string' && !(isRemoteStyle && bounds.keepsRemote))
  )
    return { ...element, tagName: 'noscript', attributes: {}, childNodes: [] }
  if (tagName === 'style' || tagName === 'link') bounds.styleIds.add(about.id)
  const special = { tagName, width: attributes.width, height: attributes.height }
  if (specialTags.has(localName(tagName))) bounds.specials.set(about.id, special)
  const kept = sanitizeAttributes(special, attributes, bounds.keepsRemote)
  return {
    ...element,
    // Without scripts, a canvas would draw its text for old browsers.
    tagName: tagName === 'canvas' ? 'img' : tagName,
    attributes: isRemoteStyle ? { rel: 'stylesheet', href: attributes.href, ...mediaOf(attributes) } : kept,
    childNodes: tagName === 'canvas' ? [] : childrenOf(value, bounds, tagName, depth),
    ...(value.isSVG === true ? { isSVG: true } : {}),
    ...(value.isShadowHost === true ? { isShadowHost: true } : {}),
    ...(value.isShadow === true ? { isShadow: true } : {}),
    ...(value.needBlock === true ? { needBlock: true } : {}),
  }
}

/** Their sources or links are kept, unlike those of other elements. */
const specialTags = new Set(['img', 'source', 'video', 'input', 'canvas', 'a', 'area', 'image', 'feimage'])

const isStylesheet = ({ rel, href }: JsonObject): boolean =>
  typeof rel === 'string' &&
  /(?:^|\s)stylesheet(?:\s|$)/i.test(rel.slice(0, 200)) &&
  !/(?:^|\s)alternate(?:\s|$)/i.test(rel.slice(0, 200)) &&
  typeof href === 'string' &&
  /^https?:\/\//i.test(href)

const mediaOf = ({ media }: JsonObject): JsonObject => (typeof media === 'string' ? { media: short(media) } : {})

/** `svg:script` is a script too. */
const localName = (tagName: string): string => tagName.slice(tagName.lastIndexOf(':') + 1)

function sanitizeAttributes(special: Special, attributes: JsonObject, keepsRemote: boolean): JsonObject {
  const kept: JsonObject = {}
  for (const [name, value] of Object.entries(attributes).slice(0, maxAttributes)) {
    const safe = sanitizeAttribute(special, name, value, keepsRemote)
    if (safe !== undefined) kept[name] = safe
  }
  const { tagName } = special
  if (tagName === 'canvas') return { ...kept, src: pictureOf(attributes.rr_dataURL) ?? greyBox(special) }
  // The page of a frame comes as nodes of its own, or not at all.
  return tagName === 'iframe' ? { ...kept, sandbox: 'allow-same-origin' } : kept
}

const attributeName = /^(?!__proto__$)[a-z_:@][\w:.@-]{0,99}$/i
const removed = new Set([
  'srcdoc',
  'nonce',
  'integrity',
  'http-equiv',
  'action',
  'formaction',
  'ping',
  'manifest',
  'background',
  'data',
  'code',
  'codebase',
  'archive',
  'classid',
  'sandbox',
  'allow',
  'allowfullscreen',
  'attributionsrc',
  'autofocus',
  'autoplay',
  'is',
  'target',
  'download',
])
const links = new Set(['href', 'xlink:href'])
const sources = new Set(['src', 'srcset', 'imagesrcset', 'poster', 'rr_dataurl', 'lowsrc', 'dynsrc'])
/** Elements whose `href` names something that is drawn. */
const drawn = new Set(['image', 'feimage'])

/** Undefined for an attribute that is left out; `null` removes it from an existing element. */
export function sanitizeAttribute(special: Special, rawName: string, value: unknown, keepsRemote: boolean): unknown {
  const { tagName } = special
  const name = rawName.toLowerCase()
  if (!attributeName.test(rawName) || name.startsWith('on') || name.startsWith('xmlns') || removed.has(name))
    return undefined
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (name === 'style' && isObject(value)) return sanitizeStyle(value, keepsRemote)
  if (typeof value !== 'string') return undefined
  if (name === 'style' || name === '_csstext') return sanitizeCss(value, keepsRemote)
  if (links.has(name)) return sanitizeLink(tagName, value, keepsRemote)
  if (sources.has(name)) {
    if (isImage(tagName, value, keepsRemote)) return value
    // Without a source, its text would be drawn instead, in another size.
    return tagName === 'img' && name === 'src' ? greyBox(special) : undefined
  }
  // SVG draws with `fill="url(…)"` and its like.
  if (/url\s*\(|image-set/i.test(value) && name !== 'class') return sanitizeCss(value, keepsRemote)
  return isScheme(value) ? undefined : value
}

/** Browsers ignore spaces and control characters in a scheme. */
const isScheme = (value: string): boolean =>
  /^(?:javascript|vbscript|livescript|mocha|data:text|data:application)/i.test(
    value.slice(0, 200).replaceAll(/[\s\p{Cc}\p{Cf}]/gu, ''),
  )

function sanitizeLink(tagName: string, value: string, keepsRemote: boolean): string | undefined {
  if (value.startsWith('#')) return value
  if (drawn.has(localName(tagName))) return isImage('img', value, keepsRemote) ? value : undefined
  // A link stays a link for the styles of the page, and leads nowhere.
  return tagName === 'a' || tagName === 'area' ? '#' : undefined
}

const pictureOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isImage('canvas', value, false) ? value : undefined

const maxPixels = 10_000

/** In the recorded size if the image has one; otherwise the styles of the page decide. */
function greyBox({ width, height }: Special): string {
  const [wide, high] = [width, height].map(value =>
    /^\d{1,5}$/.test(String(value)) ? Math.min(Number(value), maxPixels) : 0,
  )
  const size = wide && high ? ` width="${wide}" height="${high}"` : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"${size}><rect width="100%" height="100%" fill="#8884"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function isImage(tagName: string, value: string, keepsRemote: boolean): boolean {
  if (/^data:image\//i.test(value) && !/\s/.test(value.slice(0, 40))) return true
  const canLoad =
    keepsRemote && (tagName === 'img' || tagName === 'source' || tagName === 'video' || tagName === 'input')
  return canLoad && value.split(',').every(part => /^\s*https?:\/\//i.test(part))
}

/** A change of single properties: `{ color: 'red', width: ['1px', 'important'], top: false }`. */
function sanitizeStyle(style: JsonObject, keepsRemote: boolean): JsonObject {
  const kept: JsonObject = {}
  for (const [property, value] of Object.entries(style).slice(0, 1_000)) {
    if (!/^[a-z-][\w-]{0,99}$/i.test(property) || property === '__proto__') continue
    if (typeof value === 'string') kept[property] = sanitizeCss(value, keepsRemote)
    else if (value === false) kept[property] = false
    else if (Array.isArray(value) && typeof value[0] === 'string')
      kept[property] = [sanitizeCss(value[0], keepsRemote), value[1] === 'important' ? 'important' : '']
  }
  return kept
}
