/** Finds the record behind a damaged one. A file that ends in a record that was never finished is not damaged: nothing follows it. */
import { decodeRecord, recordPrefixBytes, type SegmentUse } from './record.ts'

const headBegin = Buffer.from('{"projectId":')
const maxCheckedBytes = 512 * 1024 * 1024 // about half a second of checksums: a body full of false beginnings must not cost more

/**
 * `bytes` begin with the damaged record. Where its lengths are whole, the next record is where they say. Otherwise the beginnings of
 * records are tried, but only up to an end that is known, or where the mark of this use tells its records from what an earlier use left.
 */
export function findNextRecord(bytes: Buffer, file: SegmentUse, isEndKnown: boolean): number | null {
  if (bytes.length >= recordPrefixBytes) {
    const next = recordPrefixBytes + bytes.readUInt32LE(0) + bytes.readUInt32LE(4)
    if (decodeRecord(bytes, next, file).kind === 'record') return next
    if (isEndKnown && next === bytes.length) return next
  }
  return isEndKnown || file.use !== undefined ? scan(bytes, file) : null
}

function scan(bytes: Buffer, file: SegmentUse): number | null {
  let checked = 0
  for (let from = recordPrefixBytes + 1; checked < maxCheckedBytes; ) {
    const found = bytes.indexOf(headBegin, from)
    if (found === -1) return null
    const start = found - recordPrefixBytes
    checked += bytes.readUInt32LE(start) + bytes.readUInt32LE(start + 4)
    if (decodeRecord(bytes, start, file).kind === 'record') return start
    from = found + 1
  }
  return null
}
