/** Detects pictures by their bytes: the types that browsers draw without running code. SVG is a document, so it doesn't count. */

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
export type Picture = { type: PictureType; width: number; height: number }

/** As much of the beginning as `readPicture` needs: a JPEG may have a profile and a thumbnail before its size. */
export const pictureHeadBytes = 256 * 1024
export const pictureTailBytes = 12

const signatures = { 'image/png': '89504e470d0a1a0a', 'image/jpeg': 'ffd8ff' } as const

/** Needs only the first 16 bytes. False means that the file isn't a picture. */
export const mayBePicture = (head: Buffer): boolean =>
  Object.values(signatures).some(signature => head.toString('hex', 0, signature.length / 2) === signature) ||
  isWebp(head)

const isWebp = (head: Buffer): boolean =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'

/**
 * Null unless the file is a picture from its first byte to its last: one that continues after its end may be something else too. `head`
 * and `tail` are the first `pictureHeadBytes` and the last `pictureTailBytes`, or all there is.
 */
export function readPicture({
  head,
  tail,
  sizeBytes,
}: {
  head: Buffer
  tail: Buffer
  sizeBytes: number
}): Picture | null {
  const found = readPng(head, tail) ?? readJpeg(head, tail) ?? readWebp(head, sizeBytes)
  return found !== null && found.width > 0 && found.height > 0 ? found : null
}

const pngEnd = '0000000049454e44ae426082'

function readPng(head: Buffer, tail: Buffer): Picture | null {
  if (head.toString('hex', 0, 8) !== signatures['image/png'] || head.length < 33) return null
  if (head.toString('latin1', 12, 16) !== 'IHDR' || tail.toString('hex').slice(-pngEnd.length) !== pngEnd) return null
  return { type: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Segments up to the one with the size: SOF0 to SOF15 without the three that are something else. */
function readJpeg(head: Buffer, tail: Buffer): Picture | null {
  if (head.toString('hex', 0, 3) !== signatures['image/jpeg'] || tail.toString('hex').slice(-4) !== 'ffd9') return null
  for (let at = 2; at + 9 < head.length; ) {
    const marker = head[at + 1] ?? 0
    if (head[at] !== 0xff) return null
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isSize = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isSize) return { type: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    // The scan itself, or the end, before any size.
    if (marker === 0xda || marker === 0xd9) return null
    at += 2 + head.readUInt16BE(at + 2)
  }
  return null
}

function readWebp(head: Buffer, sizeBytes: number): Picture | null {
  if (!isWebp(head) || head.length < 30) return null
  const statedBytes = head.readUInt32LE(4) + 8
  if (sizeBytes !== statedBytes && sizeBytes !== statedBytes + (statedBytes % 2)) return null
  const type = 'image/webp'
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
