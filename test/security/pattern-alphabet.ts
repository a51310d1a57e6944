/** Divides all characters into classes that the sets of a pattern don't distinguish; a set is then a bit per class. */

/** All of the BMP without surrogates, and a few beyond. */
const everything = [
  ...Array.from({ length: 0x1_00_00 }, (_, code) => code).filter(code => code < 0xd8_00 || code > 0xdf_ff),
  0x1_00_00,
  0x1_f6_00,
  0x2_00_00,
].map(code => String.fromCodePoint(code))

/** For ASCII sets: beyond ASCII they only distinguish white space, line ends and letters that case-fold to ASCII. */
const usual = everything.filter(
  character =>
    character <= '\u0100' ||
    /\s/.test(character) ||
    /[\0-\x7f]/.test(character.toLowerCase() + character.toUpperCase()),
)

/** `\p{…}` and `\u…` name others. */
const charactersFor = (sets: readonly string[]): readonly string[] =>
  sets.some(set => /[^\0-\x7f]|\\[pPux]/.test(set)) ? everything : usual

const membersOf = new Map<string, Uint8Array>()

function members(set: string, flags: string, characters: readonly string[]): Uint8Array {
  const key = `${set} ${flags} ${characters.length}`
  const known = membersOf.get(key)
  if (known !== undefined) return known
  const pattern = new RegExp(`^(?:${set})`, flags)
  const found = Uint8Array.from(characters, character => (pattern.test(character) ? 1 : 0))
  membersOf.set(key, found)
  return found
}

export type Alphabet = { of: (set: string) => bigint; all: bigint }

export function alphabetOf(sets: readonly string[], flags: string): Alphabet {
  const ownFlags = flags.replace(/[gym]/g, '')
  const distinct = [...new Set(sets)]
  const characters = charactersFor(distinct)
  let classes = new Uint32Array(characters.length)
  let count = 1
  for (const set of distinct) {
    const found = members(set, ownFlags, characters)
    const renamed = new Map<number, number>()
    classes = classes.map((before, index) => {
      const key = before * 2 + (found[index] ?? 0)
      const name = renamed.get(key) ?? renamed.size
      renamed.set(key, name)
      return name
    })
    count = renamed.size
  }
  const bits = new Map<string, bigint>()
  for (const set of distinct) {
    const found = members(set, ownFlags, characters)
    const inside = new Set<number>()
    classes.forEach((name, index) => {
      if (found[index] === 1) inside.add(name)
    })
    bits.set(
      set,
      [...inside].reduce((sum, name) => sum | (1n << BigInt(name)), 0n),
    )
  }
  return { of: set => bits.get(set) ?? 0n, all: (1n << BigInt(count)) - 1n }
}
