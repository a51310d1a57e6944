/** A tar archive (ustar with pax names) that depends on nothing but names, modes and bytes: no times, no owners, one order. */
import { gzipSync } from 'node:zlib'

const block = 512

type Entry = { name: string; bytes: Buffer; isProgram: boolean }

export function writeTar(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  for (const { name, bytes, isProgram } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (Buffer.byteLength(name) > 100) {
      const record = paxRecord('path', name)
      parts.push(header({ name: 'pax', size: record.length, mode: 0o644, type: 'x' }), padded(record))
    }
    parts.push(header({ name, size: bytes.length, mode: isProgram ? 0o755 : 0o644, type: '0' }), padded(bytes))
  }
  parts.push(Buffer.alloc(2 * block))
  return Buffer.concat(parts)
}

export function writeTgz(entries: readonly Entry[]): Buffer {
  const bytes = gzipSync(writeTar(entries), { level: 9 })
  bytes[9] = 255 // the operating system that compressed it, which is of no interest
  return bytes
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % block
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(block - rest)])
}

function header({ name, size, mode, type }: { name: string; size: number; mode: number; type: '0' | 'x' }): Buffer {
  const bytes = Buffer.alloc(block)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  bytes.write(Buffer.from(name).subarray(0, 100).toString('latin1'), 0, 'latin1')
  bytes.write(octal(mode, 8), 100)
  bytes.write(octal(0, 8), 108)
  bytes.write(octal(0, 8), 116)
  bytes.write(octal(size, 12), 124)
  bytes.write(octal(0, 12), 136)
  bytes.fill(' ', 148, 156)
  bytes.write(type, 156)
  bytes.write('ustar\0', 257)
  bytes.write('00', 263)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

/** `<length> path=<name>\n`, where the length counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (length !== rest + String(length).length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}
