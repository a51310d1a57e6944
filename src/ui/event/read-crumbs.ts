import { isObject, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import type { CrumbKind, CrumbView } from './event-view.ts'
import { fieldText } from './read-group.ts'

const maxCrumbs = 100
const maxMessageChars = 400

/** Breadcrumbs, oldest first, on the event's clock. */
export function readCrumbs(crumbs: unknown, eventAtMs: number): CrumbView[] {
  const list = Array.isArray(crumbs) ? crumbs.filter(isObject) : []
  return list.slice(-maxCrumbs).map((crumb, index) => readCrumb(crumb, index + 1, eventAtMs))
}

function readCrumb(crumb: JsonObject, number: number, eventAtMs: number): CrumbView {
  const at = crumbTimeMs(crumb.timestamp)
  const category = textOf(crumb.category) || textOf(crumb.type) || 'default'
  const data = objectOf(crumb.data) ?? {}
  return {
    number,
    offsetMs: at === null ? null : Math.round(at - eventAtMs),
    kind: kindOf(category, textOf(crumb.type), textOf(crumb.level)),
    category: category.slice(0, 60),
    message: messageOf(crumb, data).slice(0, maxMessageChars),
    result: resultOf(data),
    level: textOf(crumb.level).slice(0, 20),
  }
}

function crumbTimeMs(timestamp: unknown): number | null {
  const seconds = numberOf(timestamp)
  const at = seconds === undefined ? Date.parse(textOf(timestamp)) : seconds * 1e3
  return Number.isFinite(at) ? at : null
}

function kindOf(category: string, type: string, level: string): CrumbKind {
  if (level === 'error' || level === 'fatal' || category === 'exception' || type === 'error') return 'error'
  if (category === 'navigation' || type === 'navigation') return 'navigation'
  if (['fetch', 'xhr', 'http'].includes(category) || type === 'http') return 'network'
  if (category === 'console') return 'console'
  return category.startsWith('ui.') || type === 'user' ? 'interaction' : 'other'
}

/** What happened, in a line: a crumb without a message is told by its data. */
function messageOf(crumb: JsonObject, data: JsonObject): string {
  const message = textOf(crumb.message)
  if (message) return message
  if (data.to !== undefined) return `${textOf(data.from)} → ${textOf(data.to)}`
  if (data.url !== undefined) return `${textOf(data.method) || 'GET'} ${textOf(data.url)}`
  return Object.keys(data).length === 0 ? '' : fieldText(data)
}

function resultOf(data: JsonObject): string {
  const status = textOf(data.status_code) || textOf(data.status)
  return status.slice(0, 30)
}
