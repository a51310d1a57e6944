/** Envelope and item headers: JSON objects with a few known fields. Unknown fields are kept. */

export type EnvelopeHeaders = {
  event_id?: string
  dsn?: string
  sent_at?: string
  sdk?: unknown
  trace?: unknown
  [key: string]: unknown
}

export type ItemHeaders = {
  /** `unknown` when the SDK sent none: the framing is intact, so the other items are still read. */
  type: string
  length?: number
  item_count?: number
  content_type?: string
  filename?: string
  attachment_type?: string
  [key: string]: unknown
}

const envelopeTexts = ['event_id', 'dsn', 'sent_at'] as const
const itemTexts = ['content_type', 'filename', 'attachment_type'] as const

export function parseEnvelopeHeaders(line: string): EnvelopeHeaders | null {
  const headers = parseObject(line)
  if (headers === null) return null
  dropUnlessText(headers, envelopeTexts)
  return headers as EnvelopeHeaders
}

/** Null when the end of the payload is unknown: not a JSON object, or an invalid length. */
export function parseItemHeaders(line: string): ItemHeaders | null {
  const headers = parseObject(line)
  if (headers === null) return null
  if (headers.length === null) delete headers.length
  if (headers.length !== undefined && !isCount(headers.length)) return null
  if (headers.item_count !== undefined && !isCount(headers.item_count)) delete headers.item_count
  dropUnlessText(headers, itemTexts)
  if (typeof headers.type !== 'string') headers.type = 'unknown'
  return headers as ItemHeaders
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

function dropUnlessText(headers: Record<string, unknown>, keys: readonly string[]) {
  for (const key of keys) if (headers[key] !== undefined && typeof headers[key] !== 'string') delete headers[key]
}

function parseObject(line: string): Record<string, unknown> | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const object = value as Record<string, unknown>
  // JSON.parse makes `__proto__` an own key, but a later copy by assignment would set the prototype.
  // Checked first, because deleting a missing key still makes V8 use a slow object.
  if (Object.hasOwn(object, '__proto__')) Reflect.deleteProperty(object, '__proto__')
  return object
}
