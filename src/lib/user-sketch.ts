/**
 * How many different users a group has seen, in at most 1 KiB: the hashes themselves while they are few (exact), then
 * HyperLogLog registers (standard error 1.04 / sqrt(1024) = 3.3 %). Adding and merging in any order gives the same sketch,
 * so a merged issue counts a person once.
 */
import { addRegisters, estimateDistinct, mergeRegisters, noteHalves, noteHash, registerCount } from './hyperloglog.ts'

/** Exact as long as the hashes take no more room than 1 KiB. */
const maxExact = 127
const exactTag = 1
const registersTag = 2

export type UserSketch = { kind: 'exact'; hashes: ReadonlySet<bigint> } | { kind: 'registers'; registers: Uint8Array }

export const emptyUserSketch: UserSketch = { kind: 'exact', hashes: new Set() }

/** A hash is a u64 as a decimal string; '0' means that the user is unknown, and nobody is counted. */
export function addUsers(sketch: UserSketch, userHashes: Iterable<string>): UserSketch {
  const known = Array.from(userHashes, hash => BigInt.asUintN(64, BigInt(hash))).filter(hash => hash !== 0n)
  if (sketch.kind === 'exact') return settle(new Set([...sketch.hashes, ...known]))
  const registers = sketch.registers.slice()
  for (const hash of known) noteHash(registers, hash)
  return { kind: 'registers', registers }
}

export function mergeUserSketches(left: UserSketch, right: UserSketch): UserSketch {
  if (left.kind === 'exact' && right.kind === 'exact') return settle(new Set([...left.hashes, ...right.hashes]))
  return { kind: 'registers', registers: mergeRegisters(registersOf(left), registersOf(right)) }
}

export function countUsers(sketch: UserSketch): number {
  return sketch.kind === 'exact' ? sketch.hashes.size : Math.round(estimateDistinct(sketch.registers))
}

/** How many people are in any of many stored sketches: the same as merging them all, without a new one for each step. */
export function countUsersIn(stored: Iterable<Uint8Array>): number {
  const few = new Set<bigint>()
  let registers: Uint8Array | null = null
  for (const bytes of stored) {
    if (bytes[0] === registersTag) {
      registers ??= new Uint8Array(registerCount)
      addRegisters(registers, bytes.subarray(1))
      continue
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 1; at + 8 <= bytes.length; at += 8) {
      if (registers) noteHalves(registers, view.getUint32(at), view.getUint32(at + 4))
      else few.add(view.getBigUint64(at))
    }
    if (few.size > maxExact) registers ??= new Uint8Array(registerCount)
  }
  if (registers === null) return few.size
  for (const hash of few) noteHash(registers, hash)
  return Math.round(estimateDistinct(registers))
}

/** One byte that names the form, then the hashes in ascending order, 8 bytes each, or the registers, 1 byte each. */
export function encodeUserSketch(sketch: UserSketch): Uint8Array {
  if (sketch.kind === 'registers') return Uint8Array.of(registersTag, ...sketch.registers)
  const view = new DataView(new ArrayBuffer(1 + sketch.hashes.size * 8))
  view.setUint8(0, exactTag)
  for (const [index, hash] of BigUint64Array.from(sketch.hashes).sort().entries())
    view.setBigUint64(1 + index * 8, hash)
  return new Uint8Array(view.buffer)
}

/** No bytes at all are a sketch too: nobody was seen. */
export function decodeUserSketch(bytes: Uint8Array): UserSketch {
  const [tag] = bytes
  if (tag === undefined) return emptyUserSketch
  if (tag === registersTag && bytes.length === 1 + registerCount) {
    return { kind: 'registers', registers: Uint8Array.from(bytes.subarray(1)) }
  }
  if (tag !== exactTag || bytes.length % 8 !== 1)
    throw new Error(`not a user sketch: tag ${tag}, ${bytes.length} bytes`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = (bytes.length - 1) / 8
  return {
    kind: 'exact',
    hashes: new Set(Array.from({ length: count }, (_, index) => view.getBigUint64(1 + index * 8))),
  }
}

function settle(hashes: ReadonlySet<bigint>): UserSketch {
  const exact: UserSketch = { kind: 'exact', hashes }
  return hashes.size <= maxExact ? exact : { kind: 'registers', registers: registersOf(exact) }
}

function registersOf(sketch: UserSketch): Uint8Array {
  if (sketch.kind === 'registers') return sketch.registers
  const registers = new Uint8Array(registerCount)
  for (const hash of sketch.hashes) noteHash(registers, hash)
  return registers
}
