/** One rrweb event as the player gets it, or null if it is not for the picture. */
import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import { rrweb } from '#protocol/recording.ts'
import { sanitizeCss } from './sanitize-css.ts'
import { type NodeBounds, sanitizeAttribute, sanitizeNode } from './sanitize-node.ts'

/** Nodes of one page. A usual one has some thousands. */
export const maxNodes = 200_000
const maxChanges = 100_000

export type PageState = NodeBounds

export const newPage = (keepsRemote: boolean): PageState => ({
  left: maxNodes,
  cut: 0,
  keepsRemote,
  styleIds: new Set(),
  specials: new Map(),
  stylesheets: 0,
})

export function sanitizeEvent(event: JsonObject, page: PageState): JsonObject | null {
  const { type, timestamp } = event
  const data = objectOf(event.data)
  if (typeof timestamp !== 'number' || !Number.isFinite(timestamp) || timestamp < 1e11 || data === undefined)
    return null
  if (type === rrweb.meta)
    return { type, timestamp, data: { href: '', width: sizeOf(data.width), height: sizeOf(data.height) } }
  if (type === rrweb.fullSnapshot) return fullSnapshot(timestamp, data, page)
  if (type !== rrweb.incremental) return null
  const change = sanitizeChange(data, page)
  return change === null ? null : { type, timestamp, data: change }
}

const maxPixels = 10_000
const sizeOf = (value: unknown): number =>
  typeof value === 'number' && value >= 1 ? Math.min(Math.round(value), maxPixels) : 1

function fullSnapshot(timestamp: number, data: JsonObject, page: PageState): JsonObject | null {
  // A snapshot replaces the page.
  page.stylesheets = 0
  page.left = maxNodes
  page.styleIds.clear()
  page.specials.clear()
  const node = sanitizeNode(data.node, page)
  if (node === null || node.type !== 0) return null
  const offset = objectOf(data.initialOffset)
  const initialOffset = { top: numberOf(offset?.top), left: numberOf(offset?.left) }
  return { type: rrweb.fullSnapshot, timestamp, data: { node, initialOffset } }
}

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/**
 * Sources whose data are numbers and texts only. Not here: canvas commands (9), fonts that are loaded (10), logs (11) and definitions of
 * custom elements (16).
 */
const plainSources = new Set([1, 2, 3, 4, 5, 6, 7, 12, 14])
const sources = { mutation: 0, styleRule: 8, styleDeclaration: 13, adoptedStyle: 15 } as const

function sanitizeChange(data: JsonObject, page: PageState): JsonObject | null {
  const { source } = data
  if (source === sources.mutation) return sanitizeMutation(data, page)
  const css = (text: unknown): string => (typeof text === 'string' ? sanitizeCss(text, page.keepsRemote) : '')
  if (isOfStyle(source) && data.styleId === undefined && !(typeof data.id === 'number' && page.styleIds.has(data.id)))
    return null // of a stylesheet that is not here
  if (source === sources.styleRule)
    return {
      ...data,
      ...('replace' in data ? { replace: css(data.replace) } : {}),
      ...('replaceSync' in data ? { replaceSync: css(data.replaceSync) } : {}),
      ...(Array.isArray(data.adds) ? { adds: rules(data.adds, css) } : {}),
    }
  if (source === sources.styleDeclaration) {
    const set = objectOf(data.set)
    return set === undefined ? data : { ...data, set: { ...set, value: css(set.value) } }
  }
  if (source === sources.adoptedStyle)
    return {
      ...data,
      ...(Array.isArray(data.styles)
        ? { styles: objects(data.styles).map(style => ({ ...style, rules: rules(style.rules, css) })) }
        : {}),
    }
  return typeof source === 'number' && plainSources.has(source) ? data : null
}

const plain = { tagName: '', width: null, height: null }

const isOfStyle = (source: unknown): boolean => source === sources.styleRule || source === sources.styleDeclaration

const objects = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.slice(0, maxChanges).filter(isObject) : [])
const rules = (list: unknown, css: (text: unknown) => string): JsonObject[] =>
  objects(list).map(each => ({ ...each, rule: css(each.rule) }))

function sanitizeMutation(data: JsonObject, page: PageState): JsonObject {
  const { keepsRemote, styleIds, specials } = page
  return {
    source: sources.mutation,
    ...(data.isAttachIframe === true ? { isAttachIframe: true } : {}),
    removes: objects(data.removes),
    adds: objects(data.adds).flatMap(({ parentId, nextId, previousId, node }) => {
      const kept = sanitizeNode(node, page, typeof parentId === 'number' && styleIds.has(parentId) ? 'style' : '')
      return kept === null
        ? []
        : [{ parentId, nextId, ...(previousId === undefined ? {} : { previousId }), node: kept }]
    }),
    texts: objects(data.texts).map(({ id, value }) => ({
      id,
      value:
        typeof value === 'string' && typeof id === 'number' && styleIds.has(id)
          ? sanitizeCss(value, keepsRemote)
          : value,
    })),
    attributes: objects(data.attributes).map(({ id, attributes }) => ({
      id,
      attributes: Object.fromEntries(
        Object.entries(objectOf(attributes) ?? {}).flatMap(([name, value]) => {
          const special = typeof id === 'number' ? specials.get(id) : undefined
          const safe = sanitizeAttribute(special ?? plain, name, value, keepsRemote)
          return safe === undefined ? [] : [[name, safe]]
        }),
      ),
    })),
  }
}
