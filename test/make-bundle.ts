/** An artifact bundle in the format of sentry-cli: eight bytes of magic, then a zip with a manifest. */
import { crc32, deflateRawSync } from 'node:zlib'

export type BundleFile = {
  path: string
  type: 'minified_source' | 'source_map' | 'source'
  url: string
  content: string | Buffer
  debugId?: string
  sourcemap?: string
}

const magic = Buffer.from('SYSB\x02\0\0\0', 'latin1')

export function makeBundle(files: BundleFile[], fields: { release?: string; dist?: string } = {}): Buffer {
  const manifest = {
    ...fields,
    files: Object.fromEntries(
      files.map(({ path, type, url, debugId, sourcemap }) => [
        path,
        { type, url, headers: { ...(debugId && { 'debug-id': debugId }), ...(sourcemap && { sourcemap }) } },
      ]),
    ),
  }
  const entries = [...files, { path: 'manifest.json', content: JSON.stringify(manifest) }]
  return zip(entries.map(({ path, content }) => ({ path, bytes: Buffer.from(content) })))
}

function zip(entries: { path: string; bytes: Buffer }[]): Buffer {
  const parts: Buffer[] = [magic]
  const directory: Buffer[] = []
  let offset = magic.length
  for (const { path, bytes } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0) // version needed
    common.writeUInt16LE(8, 4) // deflate
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, name)
    parts.push(head, packed)
    offset += head.length + packed.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listing, end])
}
