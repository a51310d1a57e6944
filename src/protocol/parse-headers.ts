/** Envelope and item headers: loose JSON objects with a few fields that we read. Unknown fields stay. */

export type EnvelopeHeaders = {
  event_id?: string
  dsn?: string
  sent_at?: string
  sdk?: unknown
  trace?: unknown
  [key: string]: unknown
}

export type ItemHeaders = {
  /** `unknown` when the SDK named none: the framing still holds, so its neighbors live. */
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

/** Null when the line cannot say where its payload ends: no JSON object, or a length that is none. */
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
  // JSON.parse makes it a plain own key; a later copy by assignment would make it the prototype.
  // Asked first, because a delete of nothing still turns the object into a slow one.
  if (Object.hasOwn(object, '__proto__')) Reflect.deleteProperty(object, '__proto__')
  return object
}
