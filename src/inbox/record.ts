/**
 * A record of the inbox and its format on disk. Requests to all endpoints (envelope, store, security, cron, tunnel) are stored as one
 * envelope, so digest only knows one format.
 *
 * On disk: u32 length of head, u32 length of body, u32 CRC-32 of both, head (JSON), body. The CRC detects a record that a power cut
 * has torn; nothing after a torn record was ever acknowledged. Segments are reused: the CRC is seeded with the segment's number and
 * the head contains the id of this use, so leftovers of an earlier use never pass as records, even if a sender guesses the number.
 */
import { crc32 } from 'node:zlib'
import type { SpooledBody } from './spool.ts'

export type RecordHead = {
  projectId: number
  keyId: number
  /** Milliseconds since 1970 on this machine's clock. */
  receivedAt: number
  clientAddress: string
  userAgent: string
  /** Set when the body was too large for the log: its file in spool/. */
  spool?: SpooledBody
  /** The id of this use of the segment; older versions wrote none. */
  use?: string
}
export type InboxRecord = { head: RecordHead; body: Buffer }

/** The segment of a record. Without `use`, records of any use are accepted. */
export type SegmentUse = { segment: number; use?: string | undefined }

export const recordPrefixBytes = 12

export function encodeRecord({ head, body }: InboxRecord, { segment, use }: SegmentUse): Buffer[] {
  const headBytes = Buffer.from(JSON.stringify({ ...head, use }))
  const prefix = Buffer.allocUnsafe(recordPrefixBytes)
  prefix.writeUInt32LE(headBytes.length, 0)
  prefix.writeUInt32LE(body.length, 4)
  prefix.writeUInt32LE(checksum(headBytes, body, segment), 8)
  return [prefix, headBytes, body]
}

type DecodedRecord =
  | { kind: 'record'; record: InboxRecord; nextOffset: number }
  | { kind: 'incomplete' }
  | { kind: 'torn' }

/** Reads the record at `offset`; `body` is a view into `bytes`, not a copy. */
export function decodeRecord(bytes: Buffer, offset: number, { segment, use }: SegmentUse): DecodedRecord {
  if (offset + recordPrefixBytes > bytes.length) return { kind: 'incomplete' }
  const headLength = bytes.readUInt32LE(offset)
  const bodyLength = bytes.readUInt32LE(offset + 4)
  const start = offset + recordPrefixBytes
  const end = start + headLength + bodyLength
  if (end > bytes.length) return { kind: 'incomplete' }
  const headBytes = bytes.subarray(start, start + headLength)
  const body = bytes.subarray(start + headLength, end)
  if (headLength === 0 || checksum(headBytes, body, segment) !== bytes.readUInt32LE(offset + 8)) return { kind: 'torn' }
  const head = JSON.parse(headBytes.toString('utf8')) as RecordHead
  if (use !== undefined && head.use !== use) return { kind: 'torn' }
  return { kind: 'record', record: { head, body }, nextOffset: end }
}

const checksum = (head: Buffer, body: Buffer, segment: number): number => crc32(body, crc32(head, segment >>> 0))
