/** Draws a text as a QR code (ISO/IEC 18004): byte mode, error correction M, versions 3 to 10, which is up to 213 bytes. */
import { correctionBytes } from './reed-solomon.ts'

/** By version: bytes of correction per block, then how many blocks of how many bytes of data. */
const blocksOf: Record<number, { correction: number; blocks: readonly (readonly [count: number, bytes: number])[] }> = {
  3: { correction: 26, blocks: [[1, 44]] },
  4: { correction: 18, blocks: [[2, 32]] },
  5: { correction: 24, blocks: [[2, 43]] },
  6: { correction: 16, blocks: [[4, 27]] },
  7: { correction: 18, blocks: [[4, 31]] },
  8: {
    correction: 22,
    blocks: [
      [2, 38],
      [2, 39],
    ],
  },
  9: {
    correction: 22,
    blocks: [
      [3, 36],
      [2, 37],
    ],
  },
  10: {
    correction: 26,
    blocks: [
      [4, 43],
      [1, 44],
    ],
  },
}
/** Where alignment patterns are centered, in both directions. */
const alignment: Record<number, readonly number[]> = {
  3: [6, 22],
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
}

type Square = { size: number; dark: Uint8Array; fixed: Uint8Array }

/** The rows of the code; true is dark. Throws for a text that is too long. */
export function drawQrCode(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)]
  const version = Object.keys(blocksOf)
    .map(Number)
    .find(each => bytes.length <= capacityOf(each) - (each < 10 ? 2 : 3))
  if (version === undefined) throw new Error(`${bytes.length} bytes are too many for a QR code`)
  const square = drawPatterns(version)
  placeBits(square, bitsOf(codewords(bytes, version)))
  const masked = masks.map((_, mask) => finish(square, mask, version))
  const best = masked.reduce((least, each) => (penaltyOf(each) < penaltyOf(least) ? each : least))
  return Array.from({ length: best.size }, (_, y) =>
    Array.from({ length: best.size }, (_, x) => best.dark[y * best.size + x] === 1),
  )
}

const capacityOf = (version: number): number =>
  blocksOf[version]?.blocks.reduce((sum, [count, bytes]) => sum + count * bytes, 0) ?? 0

/** Mode, length, text and padding, in blocks with their correction, interleaved. */
function codewords(bytes: readonly number[], version: number): number[] {
  const lengthBits = version < 10 ? 8 : 16
  const bits = [...toBits(4, 4), ...toBits(bytes.length, lengthBits), ...bytes.flatMap(byte => toBits(byte, 8))]
  const capacity = capacityOf(version)
  bits.push(...Array<number>(Math.min(4, capacity * 8 - bits.length)).fill(0))
  while (bits.length % 8 !== 0) bits.push(0)
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad)
  const { correction = 0, blocks: plan = [] } = blocksOf[version] ?? {}
  const blocks: number[][] = []
  for (const [count, size] of plan) for (let each = 0; each < count; each++) blocks.push(data.splice(0, size))
  return [...interleave(blocks), ...interleave(blocks.map(block => correctionBytes(block, correction)))]
}

const toBits = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => (value >> (count - 1 - index)) & 1)
const bitsOf = (words: readonly number[]): number[] => words.flatMap(word => toBits(word, 8))

const interleave = (blocks: readonly number[][]): number[] =>
  Array.from({ length: Math.max(...blocks.map(({ length }) => length)) }, (_, at) =>
    blocks.flatMap(block => (at < block.length ? [block[at] ?? 0] : [])),
  ).flat()

/** Finders, timing, alignment, and room for format and version: everything that holds no data. */
function drawPatterns(version: number): Square {
  const size = version * 4 + 17
  const square: Square = { size, dark: new Uint8Array(size * size), fixed: new Uint8Array(size * size) }
  const set = (x: number, y: number, isDark: boolean) => paint(square, x, y, isDark)
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const)
    for (let y = -1; y <= 7; y++)
      for (let x = -1; x <= 7; x++) set(left + x, top + y, ringAt(x - 3, y - 3) !== 2 && ringAt(x - 3, y - 3) < 4)
  const centers = alignment[version] ?? []
  const last = centers.at(-1)
  for (const cx of centers)
    for (const cy of centers) {
      if ((cx === 6 && (cy === 6 || cy === last)) || (cx === last && cy === 6)) continue
      for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cx + x, cy + y, ringAt(x, y) !== 1)
    }
  for (let at = 8; at < size - 8; at++) {
    set(at, 6, at % 2 === 0)
    set(6, at, at % 2 === 0)
  }
  drawFormat(square, 0)
  if (version >= 7) drawVersion(square, version)
  return square
}

const ringAt = (x: number, y: number): number => Math.max(Math.abs(x), Math.abs(y))

function paint({ size, dark, fixed }: Square, x: number, y: number, isDark: boolean): void {
  if (x < 0 || y < 0 || x >= size || y >= size) return
  dark[y * size + x] = isDark ? 1 : 0
  fixed[y * size + x] = 1
}

/** Correction M and the mask, protected by a BCH code, twice. */
function drawFormat(square: Square, mask: number): void {
  const { size } = square
  const bits = ((mask << 10) | bchRest(mask << 10, 0x537, 10)) ^ 0x5412
  for (let at = 0; at < 15; at++) {
    const isDark = ((bits >> at) & 1) === 1
    paint(square, 8, at < 6 ? at : at < 8 ? at + 1 : size - 15 + at, isDark)
    paint(square, at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at, 8, isDark)
  }
  paint(square, 8, size - 8, true)
}

function drawVersion(square: Square, version: number): void {
  const bits = (version << 12) | bchRest(version << 12, 0x1f25, 12)
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >> at) & 1) === 1
    const [near, far] = [Math.floor(at / 3), square.size - 11 + (at % 3)]
    paint(square, near, far, isDark)
    paint(square, far, near, isDark)
  }
}

function bchRest(value: number, divisor: number, degree: number): number {
  let rest = value
  while (rest >> degree !== 0) rest ^= divisor << (Math.floor(Math.log2(rest)) - degree)
  return rest
}

/** From the lower right in columns of two, up and down, around what is fixed. */
function placeBits({ size, dark, fixed }: Square, bits: readonly number[]): void {
  let next = 0
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--
    const goesUp = isUpward(size, right)
    for (let step = 0; step < size; step++) {
      const y = goesUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (fixed[y * size + x] === 1) continue
        dark[y * size + x] = bits[next++] ?? 0
      }
    }
  }
}

/** Columns alternate; the one of the vertical timing pattern is skipped. */
const isUpward = (size: number, right: number): boolean => {
  const index = right > 6 ? (size - 1 - right) / 2 : (size - 2 - right) / 2
  return index % 2 === 0
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function finish(square: Square, mask: number, version: number): Square {
  const { size, fixed } = square
  const inverts = masks[mask] ?? (() => false)
  const dark = square.dark.map((value, at) =>
    fixed[at] === 0 && inverts(at % size, Math.floor(at / size)) ? value ^ 1 : value,
  )
  const masked = { size, dark, fixed: fixed.slice() }
  drawFormat(masked, mask)
  if (version >= 7) drawVersion(masked, version)
  return masked
}

/** Scanners read best what has no long runs, no blocks and as much dark as light. */
function penaltyOf({ size, dark }: Square): number {
  const at = (x: number, y: number): number => dark[y * size + x] ?? 0
  let penalty = 0
  for (let line = 0; line < size; line++)
    for (const read of [(index: number) => at(index, line), (index: number) => at(line, index)])
      for (let from = 0; from < size; ) {
        let to = from
        while (to < size && read(to) === read(from)) to++
        if (to - from >= 5) penalty += to - from - 2
        from = to
      }
  for (let y = 0; y < size - 1; y++)
    for (let x = 0; x < size - 1; x++)
      if (at(x, y) === at(x + 1, y) && at(x, y) === at(x, y + 1) && at(x, y) === at(x + 1, y + 1)) penalty += 3
  const share = dark.reduce((sum, value) => sum + value, 0) / (size * size)
  return penalty + Math.floor(Math.abs(share - 0.5) * 20) * 10
}

/** The dark squares as the path of an SVG whose units are squares. */
export const qrPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
