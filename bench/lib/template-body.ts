/** A body whose ids can be made new for each request: a repeat of the same id would be dropped as a second delivery. */
export type TemplateBody = { bytes: Buffer; offsets: Uint32Array }

const idPattern = /"(?:event_id|trace_id|span_id|parent_span_id|sid)":"([0-9a-f]{16,32})"|"value":"([0-9a-f]{16})"/g

/** Every id in the body, with references to it, keeps its tail and gets a new head: relations between spans stay as they are. */
export function templateBody(bytes: Buffer): TemplateBody {
  const text = bytes.toString('latin1')
  const offsets = [...text.matchAll(idPattern)].map(
    match => match.index + match[0].length - (match[1] ?? match[2] ?? '').length - 1,
  )
  return { bytes: Buffer.from(bytes), offsets: Uint32Array.from(offsets) }
}

/** Writes `serial` into the first 8 digits of every id, in place. */
export function freshen({ bytes, offsets }: TemplateBody, serial: number): void {
  const head = serial.toString(16).padStart(8, '0')
  for (const offset of offsets) bytes.write(head, offset, 8, 'latin1')
}
