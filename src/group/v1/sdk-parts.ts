import type { StoredEvent } from '#protocol/event.ts'
import type { Part } from '../fingerprint.ts'
import { fingerprintVariable } from './fingerprint-variable.ts'

const variable = /\{\{\s*([^\s{}]+)\s*\}\}/g
const isDefault = /^\{\{\s*default\s*\}\}$/

/** What the SDK asks for, where `default` stands for what we find ourselves; null where it asks for nothing else. */
export function sdkParts(event: StoredEvent): (Part | 'default')[] | null {
  const wanted = event.fingerprint
  if (wanted === undefined || wanted.length === 0) return null
  if (wanted.every(part => isDefault.test(part))) return null
  return wanted.map(part => (isDefault.test(part) ? 'default' : { kind: 'fingerprint', value: fill(part, event) }))
}

/** A variable that nobody knows stays as it is written. */
function fill(part: string, event: StoredEvent): string {
  if (!part.includes('{{')) return part
  return part.replace(variable, (all, name: string) => {
    const value = fingerprintVariable(name, event)
    return value === '' ? `<no ${name}>` : (value ?? all)
  })
}
