import { isObject, type JsonObject } from '#lib/json-value.ts'
import type { FieldView, GroupView } from './event-view.ts'

const maxFields = 60 // what is beyond is in the JSON, and the page says so
const maxValueChars = 600

/** The members of an object as rows of name and value. Null where there is nothing to show. */
export function readGroup(title: string, value: unknown, without: string[] = []): GroupView | null {
  if (!isObject(value)) return null
  const entries = Object.entries(value).filter(([name, member]) => !without.includes(name) && !isNothing(member))
  if (entries.length === 0) return null
  return { title, fields: readFields(value, entries), hidden: Math.max(0, entries.length - maxFields) }
}

export function readFields(value: JsonObject, entries = Object.entries(value), limit = maxFields): FieldView[] {
  return entries.slice(0, limit).map(([name, member]) => ({ name, value: fieldText(member) }))
}

/** Text as it is, everything else as JSON. The page's own cut comes later and says how much is missing. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return cut(value)
  try {
    return cut(JSON.stringify(value) ?? 'undefined')
  } catch {
    return '(nested too deep to show)'
  }
}

const cut = (text: string) => (text.length > maxValueChars * 2 ? `${text.slice(0, maxValueChars)}…` : text)

const isNothing = (value: unknown) => value === null || value === undefined || value === ''
