import type { ZodType } from 'zod'
import type { ApiHandler } from './api-call.ts'
import { apiError } from './api-error.ts'
import { hasNul, nulDetail } from './has-nul.ts'

/** Reads the JSON body by its schema before anything that the path names is looked up: 400 if it is invalid, 413 if it is too large. */
export function withInput<Input, Param extends string = never>(
  schema: ZodType<Input>,
  handle: ApiHandler<Param, Input>,
): ApiHandler<Param> {
  const read: ApiHandler<Param> = async call => {
    const body = await readJson(call.request, schema)
    return body.ok ? handle({ ...call, input: body.value }) : apiError(body.status, body.detail)
  }
  return Object.assign(read, { schema })
}

const maxBytes = 8 * 1024 * 1024 // enough for the commits of a first release with their files

type ReadJson<Value> = { ok: true; value: Value } | { ok: false; status: 400 | 413; detail: string }

/** Reads a JSON body up to the limit. An empty body is an empty object, because some tools send none. */
async function readJson<Value>(request: Request, schema: ZodType<Value>): Promise<ReadJson<Value>> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) return { ok: false, status: 413, detail: `The request is larger than ${maxBytes} bytes.` }
    chunks.push(chunk)
  }
  const given = parse(Buffer.concat(chunks).toString('utf8'))
  if (hasNul(given)) return { ok: false, status: 400, detail: nulDetail }
  const parsed = schema.safeParse(given)
  if (parsed.success) return { ok: true, value: parsed.data }
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') || 'body'
  return { ok: false, status: 400, detail: `${path}: ${issue?.message ?? 'invalid'}` }
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined // every schema rejects it with 400
  }
}
