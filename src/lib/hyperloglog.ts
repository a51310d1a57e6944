/** HyperLogLog with 1,024 registers, and the estimator of Otmar Ertl (arXiv:1702.01284), which has no bias at any size. */
const indexBits = 10
export const registerCount = 1 << indexBits
const rankBits = 32

/** Remembers, per register, the longest run of leading zeros among the hashes that fell to it. */
export function noteHash(registers: Uint8Array, hash: bigint): void {
  noteHalves(registers, Number(hash >> 32n), Number(hash & 0xffff_ffffn))
}

/** The same for a hash that is at hand as two numbers of 32 bits: large numbers are slow. */
export function noteHalves(registers: Uint8Array, high: number, low: number): void {
  // Mixed again, so that the sketch does not depend on the quality of the hash it is given.
  const first = mix(low ^ mix(high))
  const second = mix((high + Math.imul(first, 0x9e37_79b9)) | 0)
  const index = first >>> (32 - indexBits)
  const rank = Math.clz32(second) + 1
  if (rank > (registers[index] ?? 0)) registers[index] = rank
}

export function mergeRegisters(left: Uint8Array, right: Uint8Array): Uint8Array {
  const merged = left.slice()
  addRegisters(merged, right)
  return merged
}

/** Into the first, in place. */
export function addRegisters(registers: Uint8Array, more: Uint8Array): void {
  for (let index = 0; index < registerCount; index++) {
    const rank = more[index] ?? 0
    if (rank > (registers[index] ?? 0)) registers[index] = rank
  }
}

export function estimateDistinct(registers: Uint8Array): number {
  const counts = new Array<number>(rankBits + 2).fill(0)
  for (const rank of registers) counts[rank] = (counts[rank] ?? 0) + 1
  const share = (rank: number) => (counts[rank] ?? 0) / registerCount
  let sum = registerCount * tau(1 - share(rankBits + 1))
  for (let rank = rankBits; rank >= 1; rank--) sum = 0.5 * (sum + (counts[rank] ?? 0))
  sum += registerCount * sigma(share(0))
  return registerCount ** 2 / (2 * Math.LN2 * sum)
}

/** The correction for registers that are still empty. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let [power, weight, sum, before] = [share, 1, share, -1]
  while (sum !== before) {
    power *= power
    before = sum
    sum += power * weight
    weight *= 2
  }
  return sum
}

/** The correction for registers that are full. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let [root, weight, sum, before] = [share, 1, 1 - share, -1]
  while (sum !== before) {
    root = Math.sqrt(root)
    before = sum
    weight *= 0.5
    sum -= (1 - root) ** 2 * weight
  }
  return sum / 3
}

/** The finaliser of MurmurHash3: every bit of the input moves half of the bits of the output. */
function mix(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
