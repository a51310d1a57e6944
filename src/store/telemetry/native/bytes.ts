/** Bytes that grow at their end, in the order of the engine: the least significant first. */
export type Bytes = { buffer: Buffer; view: DataView; length: number }

const mostVarintBytes = 5
const mostBytesOfUnit = 3 // of UTF-8, for one unit of UTF-16
const wordRange = 2 ** 32

export const newBytes = (sizeBytes: number): Bytes => hold(Buffer.allocUnsafeSlow(sizeBytes), 0)

const hold = (buffer: Buffer, length: number): Bytes => ({
  buffer,
  view: new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength),
  length,
})

/** Makes room for so many more, and says where they begin. */
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

/** Of a whole number that JavaScript can hold, with its sign. */
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
  const at = reserve(bytes, mostVarintBytes)
  bytes.length = at + writeVarint(bytes.buffer, at, value)
}

/** Text with its length before it. Half a surrogate becomes the sign for what cannot be shown. */
export function putText(bytes: Bytes, text: string): void {
  const { length } = text
  const at = reserve(bytes, mostVarintBytes + mostBytesOfUnit * length)
  if (length <= shortText && writeAscii(bytes.buffer, at + 1, text)) {
    bytes.buffer[at] = length
    bytes.length = at + 1 + length
    return
  }
  // Nearly all text is ASCII, and as long in bytes as it is here: only the other is moved.
  const expected = varintBytes(length)
  const size = bytes.buffer.write(text, at + expected)
  const needed = varintBytes(size)
  if (needed !== expected) bytes.buffer.copyWithin(at + needed, at + expected, at + expected + size)
  writeVarint(bytes.buffer, at, size)
  bytes.length = at + needed + size
}

/** Up to here a loop is faster than the call of a function that is not JavaScript. */
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
