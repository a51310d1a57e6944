/** Error correction over the field of 256 elements with the polynomial 0x11d, as QR codes use it. */
const powers = new Uint8Array(512)
const logs = new Uint8Array(256)
for (let power = 0, value = 1; power < 255; power++) {
  powers[power] = value
  powers[power + 255] = value
  logs[value] = power
  value = (value << 1) ^ (value >= 128 ? 0x11d : 0)
}

const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (powers[(logs[a] ?? 0) + (logs[b] ?? 0)] ?? 0)

/** The `count` bytes that are appended to a block of data. */
export function correctionBytes(data: readonly number[], count: number): number[] {
  const generator = generatorOf(count)
  const rest = [...data, ...Array<number>(count).fill(0)]
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at] ?? 0
    if (factor === 0) continue
    generator.forEach((coefficient, index) => {
      rest[at + index] = (rest[at + index] ?? 0) ^ multiply(coefficient, factor)
    })
  }
  return rest.slice(data.length)
}

/** (x − 1)(x − 2)(x − 4)…, highest power first. */
function generatorOf(count: number): number[] {
  let polynomial = [1]
  for (let root = 0; root < count; root++) {
    const next = [...polynomial, 0]
    polynomial.forEach((coefficient, index) => {
      next[index + 1] = (next[index + 1] ?? 0) ^ multiply(coefficient, powers[root] ?? 0)
    })
    polynomial = next
  }
  return polynomial
}
