import { closeSync, openSync, readSync } from 'node:fs'
import type { ItemPayload } from '#protocol/read-envelope.ts'

/** A payload's bytes, or its first `maxBytes`; those of a spool file are read here, synchronously, on digest's own thread. */
export function loadBytes(payload: ItemPayload, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  if (payload.kind === 'bytes') {
    return payload.bytes.length > maxBytes ? payload.bytes.subarray(0, maxBytes) : payload.bytes
  }
  const bytes = Buffer.allocUnsafe(Math.min(payload.end - payload.start, maxBytes))
  const file = openSync(payload.path, 'r')
  try {
    let filled = 0
    while (filled < bytes.length) {
      const got = readSync(file, bytes, filled, bytes.length - filled, payload.start + filled)
      if (got === 0) break
      filled += got
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}
