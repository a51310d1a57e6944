/** The page of a recording as a tree that follows its events: snapshot, then mutations. Reads sanitized frames, builds no document. Pure. */

import { isObject, type JsonObject, objectOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { rrweb } from '#protocol/recording.ts'

/** Siblings are linked, so that a hostile list of additions costs no more than its length. */
type Node = {
  tag: string
  text: string
  attributes: Map<string, string>
  parent: Node | null
  first: Node | null
  last: Node | null
  next: Node | null
  before: Node | null
}

export type RecordedDom = { root: Node | null; nodes: Map<number, Node> }
export const newDom = (): RecordedDom => ({ root: null, nodes: new Map() })

/** True if the event changed the tree. */
export function applyFrame(dom: RecordedDom, { type, data: rawData }: JsonObject): boolean {
  const data = objectOf(rawData) ?? {}
  if (type === rrweb.fullSnapshot) {
    dom.nodes.clear()
    dom.root = build(dom, data.node, 0)
    return true
  }
  if (type !== rrweb.incremental || data.source !== mutation || dom.root === null) return false
  for (const { id } of objects(data.removes)) detach(dom.nodes.get(Number(id)))
  addAll(dom, objects(data.adds))
  for (const { id, value } of objects(data.texts)) {
    const node = dom.nodes.get(Number(id))
    if (node !== undefined && typeof value === 'string') node.text = value
  }
  for (const { id, attributes } of objects(data.attributes)) {
    const node = dom.nodes.get(Number(id))
    if (node !== undefined) setAttributes(node, objectOf(attributes) ?? {})
  }
  return ['removes', 'adds', 'texts', 'attributes'].some(list => objects(data[list]).length > 0)
}

const mutation = 0
const maxDepth = 512
const objects = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

function build(dom: RecordedDom, value: unknown, depth: number): Node {
  const { id, type, tagName, textContent, attributes, childNodes } = objectOf(value) ?? {}
  const node: Node = {
    tag: type === 2 ? String(tagName) : '',
    text: type === 3 && typeof textContent === 'string' ? textContent : '',
    attributes: new Map(),
    parent: null,
    first: null,
    last: null,
    next: null,
    before: null,
  }
  setAttributes(node, objectOf(attributes) ?? {})
  if (typeof id === 'number') dom.nodes.set(id, node)
  if (depth < maxDepth && Array.isArray(childNodes))
    for (const child of childNodes) insert(node, build(dom, child, depth + 1), null)
  return node
}

/** Additions may name a sibling that comes later in the same list. */
function addAll(dom: RecordedDom, adds: readonly JsonObject[]): void {
  let waiting = [...adds]
  for (let pass = 0; pass < 4 && waiting.length > 0; pass++) {
    waiting = waiting.filter(({ parentId, nextId, node }) => {
      const parent = dom.nodes.get(Number(parentId))
      const next = typeof nextId === 'number' ? dom.nodes.get(nextId) : null
      if (parent === undefined || (next === undefined && pass < 3)) return true
      detach(dom.nodes.get(Number(objectOf(node)?.id)))
      insert(parent, build(dom, node, 0), next?.parent === parent ? next : null)
      return false
    })
    waiting.reverse()
  }
}

function insert(parent: Node, node: Node, next: Node | null): void {
  const before = next === null ? parent.last : next.before
  Object.assign(node, { parent, next, before })
  if (before === null) parent.first = node
  else before.next = node
  if (next === null) parent.last = node
  else next.before = node
}

function detach(node: Node | undefined): void {
  if (node === undefined || node.parent === null) return
  const { parent, before, next } = node
  if (before === null) parent.first = next
  else before.next = next
  if (next === null) parent.last = before
  else next.before = before
  Object.assign(node, { parent: null, next: null, before: null })
}

const maxValueChars = 200

function setAttributes(node: Node, attributes: JsonObject): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (/^(?:rr_|_)/.test(name)) continue
    if (value === null || value === false) node.attributes.delete(name)
    else if (isObject(value)) node.attributes.set(name, '…')
    else node.attributes.set(name, clipText(String(value), maxValueChars))
  }
}

/** They are not what a reader compares. */
const unseen = new Set(['head', 'script', 'style', 'noscript', 'template', 'link', 'meta'])
const shortChars = 80

/** The body as indented lines of HTML; an element with only a short text stays on one line. */
export function linesOf({ root }: RecordedDom, maxLines: number): string[] {
  const lines: string[] = []
  const write = (node: Node, depth: number): void => {
    if (lines.length >= maxLines || depth > maxDepth || unseen.has(node.tag)) return
    const pad = '  '.repeat(Math.min(depth, 20))
    if (node.tag === '') {
      const words = node.text.replaceAll(/\s+/g, ' ').trim()
      if (words !== '') lines.push(pad + words)
      for (let child = node.first; child !== null; child = child.next) write(child, depth)
      return
    }
    const attributes = [...node.attributes].map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${value}"`))
    const open = `${pad}<${node.tag}${attributes.join('')}>`
    const only =
      node.first !== null && node.first === node.last && node.first.tag === '' ? node.first.text.trim() : null
    if (node.first === null || (only !== null && only.length < shortChars)) {
      lines.push(`${open}${(only ?? '').replaceAll(/\s+/g, ' ')}</${node.tag}>`)
      return
    }
    lines.push(open)
    for (let child = node.first as Node | null; child !== null; child = child.next) write(child, depth + 1)
    lines.push(`${pad}</${node.tag}>`)
  }
  if (root !== null) write(root, 0)
  return lines
}
