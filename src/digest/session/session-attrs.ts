import { type JsonObject, objectOf } from '#lib/json-value.ts'
import type { RecordContext } from '../record-context.ts'

/** The attributes, with the address filled in where the SDK asked for it. */
export function sessionAttrs(session: JsonObject, context: RecordContext): JsonObject | undefined {
  const attrs = objectOf(session.attrs)
  if (attrs?.ip_address === '{{auto}}') attrs.ip_address = context.clientAddress
  return attrs
}
