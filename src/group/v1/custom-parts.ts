import type { StoredEvent } from '#protocol/event.ts'
import { messageOf } from './default-parts.ts'

const variable = /\{\{\s*([\w.-]+)\s*\}\}/g
const isDefault = /^\{\{\s*default\s*\}\}$/

/** The fingerprint the SDK asks for; null where it asks for none but the default. `{{ default }}` stands for our own parts. */
export function customParts(event: StoredEvent, ownParts: () => string[]): string[] | null {
  const wanted = event.fingerprint
  if (wanted === undefined || wanted.length === 0) return null
  if (wanted.length === 1 && isDefault.test(wanted[0] ?? '')) return null
  return wanted.flatMap(part => (isDefault.test(part) ? ownParts() : [fill(part, event)]))
}

function fill(part: string, event: StoredEvent): string {
  if (!part.includes('{{')) return part
  return part.replace(variable, (all, name: string) => variableOf(name, event) ?? all)
}

function variableOf(name: string, event: StoredEvent): string | undefined {
  const error = event.exception?.values.at(-1)
  const frame = error?.stacktrace?.frames.at(-1)
  if (name.startsWith('tags.')) return event.tags[name.slice(5)] ?? ''
  switch (name) {
    case 'error.type':
    case 'type':
      return error?.type ?? ''
    case 'error.value':
    case 'value':
      return error?.value ?? ''
    case 'message':
      return messageOf(event) || (error?.value ?? '')
    case 'function':
      return frame?.function ?? ''
    case 'module':
      return frame?.module ?? ''
    case 'level':
      return event.level
    case 'logger':
      return typeof event.logger === 'string' ? event.logger : ''
    case 'transaction':
      return event.transaction ?? ''
    case 'release':
      return event.release ?? ''
    case 'environment':
      return event.environment ?? ''
    default:
      return undefined
  }
}
