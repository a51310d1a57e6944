import type { ZodType } from 'zod'

const maxBytes = 8 * 1024 * 1024 // the commits of a first release, with the files each of them changed

export type ReadJson<Value> = { ok: true; value: Value } | { ok: false; status: 400 | 413; detail: string }

/** A request's JSON, never more of it than fits. An empty body is an empty object: some tools send none. */
export async function readJson<Value>(request: Request, schema: ZodType<Value>): Promise<ReadJson<Value>> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) return { ok: false, status: 413, detail: `The request is larger than ${maxBytes} bytes.` }
    chunks.push(chunk)
  }
  const parsed = schema.safeParse(parse(Buffer.concat(chunks).toString('utf8')))
  if (parsed.success) return { ok: true, value: parsed.data }
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') || 'the body'
  return { ok: false, status: 400, detail: `${place}: ${issue?.message ?? 'is not valid'}` }
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no schema takes it: the answer is the schema's own 400
  }
}
