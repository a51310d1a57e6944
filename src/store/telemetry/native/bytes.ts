/** A growing buffer; numbers are little-endian, as in the Native format. */
export type Bytes = { buffer: Buffer; view: DataView; length: number }

const maxVarintBytes = 5
const maxBytesPerUnit = 3 // of UTF-8, for one unit of UTF-16
const wordRange = 2 ** 32

export const newBytes = (sizeBytes: number): Bytes => hold(Buffer.allocUnsafeSlow(sizeBytes), 0)

const hold = (buffer: Buffer, length: number): Bytes => ({
  buffer,
  view: new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength),
  length,
})

/** Makes room for `sizeBytes` more and returns their offset. */
function reserve(bytes: Bytes, sizeBytes: number): number {
  const { length } = bytes
  if (length + sizeBytes > bytes.buffer.byteLength) {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.buffer.byteLength, length + sizeBytes))
    bytes.buffer.copy(larger, 0, 0, length)
    Object.assign(bytes, hold(larger, length))
  }
  return length
}

export function putUInt8(bytes: Bytes, value: number): void {
  const at = reserve(bytes, 1)
  bytes.buffer[at] = value
  bytes.length = at + 1
}

export function putUInt16(bytes: Bytes, value: number): void {
  const at = reserve(bytes, 2)
  bytes.view.setUint16(at, value, true)
  bytes.length = at + 2
}

export function putUInt32(bytes: Bytes, value: number): void {
  const at = reserve(bytes, 4)
  bytes.view.setUint32(at, value, true)
  bytes.length = at + 4
}

/** For safe integers. */
export function putInt64(bytes: Bytes, value: number): void {
  const at = reserve(bytes, 8)
  const high = Math.floor(value / wordRange)
  bytes.view.setUint32(at, value - high * wordRange, true)
  bytes.view.setInt32(at + 4, high, true)
  bytes.length = at + 8
}

export function putBigUInt64(bytes: Bytes, value: bigint): void {
  const at = reserve(bytes, 8)
  bytes.view.setBigUint64(at, value, true)
  bytes.length = at + 8
}

export function putFloat32(bytes: Bytes, value: number): void {
  const at = reserve(bytes, 4)
  bytes.view.setFloat32(at, value, true)
  bytes.length = at + 4
}

export function putFloat64(bytes: Bytes, value: number): void {
  const at = reserve(bytes, 8)
  bytes.view.setFloat64(at, value, true)
  bytes.length = at + 8
}

export function putVarint(bytes: Bytes, value: number): void {
  const at = reserve(bytes, maxVarintBytes)
  bytes.length = at + writeVarint(bytes.buffer, at, value)
}

/** Length and UTF-8 text. A lone surrogate becomes U+FFFD. */
export function putText(bytes: Bytes, text: string): void {
  const { length } = text
  const at = reserve(bytes, maxVarintBytes + maxBytesPerUnit * length)
  if (length <= shortText && writeAscii(bytes.buffer, at + 1, text)) {
    bytes.buffer[at] = length
    bytes.length = at + 1 + length
    return
  }
  // Nearly all text is ASCII with as many bytes as characters; only other text has to be moved.
  const expected = varintBytes(length)
  const size = bytes.buffer.write(text, at + expected)
  const needed = varintBytes(size)
  if (needed !== expected) bytes.buffer.copyWithin(at + needed, at + expected, at + expected + size)
  writeVarint(bytes.buffer, at, size)
  bytes.length = at + needed + size
}

/** Up to this length a loop is faster than a call into native code. */
const shortText = 20

function writeAscii(buffer: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return false
    buffer[at + index] = code
  }
  return true
}

function varintBytes(value: number): number {
  let size = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++
  return size
}

function writeVarint(buffer: Buffer, at: number, value: number): number {
  let size = 0
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) buffer[at + size++] = (rest & 0x7f) | 0x80
  buffer[at + size++] = rest
  return size
}
