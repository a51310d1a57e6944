import type { Settings } from '#domain/channels/kinds/kind.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { inputName } from './input-name.ts'

/** The settings among the fields of a form. */
export const readSettingFields = (form: Record<string, unknown>): Settings =>
  Object.fromEntries(
    Object.entries(form).flatMap(([field, value]) => {
      const name = /^(?:setting|secret)\.(\w+)$/.exec(field)?.[1]
      return name === undefined || typeof value !== 'string' ? [] : [[name, value.replaceAll('\r\n', '\n')]]
    }),
  )

/** Faults by the names that the inputs have. */
export function withFieldNames<Result extends { ok: boolean }>(result: Result, kindId: string): Result {
  if (result.ok || !('fields' in result)) return result
  const fields = findKind(kindId)?.fields ?? []
  const named = Object.entries(result.fields as Record<string, string>).map(([name, message]) => {
    const field = fields.find(each => each.name === name)
    return [field === undefined ? 'name' : inputName(field), message]
  })
  return { ...result, fields: Object.fromEntries(named) }
}
