import { clipText } from '#lib/clip-text.ts'
import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { limits } from '../limits.ts'
import type { Notes } from '../notes.ts'

/** `message` as text or object and `logentry` become one `logentry`, with its parameters filled in. */
export function normaliseMessage(logentry: unknown, message: unknown, notes: Notes): StoredEvent['logentry'] {
  const given = logentry ?? message
  if (given === undefined || given === null) return undefined
  if (!isObject(given)) {
    const text = clip(textOf(given), notes)
    return text === '' ? undefined : { message: text }
  }
  const template = clip(textOf(given.message), notes)
  const formatted = clip(textOf(given.formatted), notes) || fill(template, given.params)
  if (template === '' && formatted === '') return undefined
  const entry: NonNullable<StoredEvent['logentry']> = { message: template || formatted }
  if (formatted !== '' && formatted !== template) entry.formatted = formatted
  if (given.params !== undefined) entry.params = given.params
  return entry
}

function fill(template: string, params: unknown): string {
  if (!Array.isArray(params) || params.length === 0) return ''
  let next = 0
  const filled = template.replace(/%[sdifo]|\{\}/g, mark => (next < params.length ? textOf(params[next++]) : mark))
  return clipText(filled, limits.messageChars)
}

function clip(text: string, notes: Notes): string {
  if (text.length <= limits.messageChars) return text
  notes.add('trimmed', 'logentry', `${text.length} chars`)
  return clipText(text, limits.messageChars)
}
