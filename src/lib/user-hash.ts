import { hash } from 'node:crypto'

/** 64 bits of a user's identifier, as decimal text. Salted by project, so that users cannot be linked across projects. */
export function hashUser(projectId: number, identifier: string): string {
  const digest = hash('md5', `${projectId}:${identifier}`)
  return decimalOf64(Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16))
}

const billion = 1_000_000_000

/** Two 32-bit halves as decimal text: one long division by 10^9 in 16-bit steps, several times faster than BigInt. */
export function decimalOf64(high: number, low: number): string {
  const middle = (high % billion) * 65_536 + (low >>> 16)
  const bottom = (middle % billion) * 65_536 + (low & 65_535)
  const quotient =
    Math.floor(high / billion) * 4_294_967_296 + Math.floor(middle / billion) * 65_536 + Math.floor(bottom / billion)
  const units = String(bottom % billion)
  return quotient === 0 ? units : quotient + units.padStart(9, '0')
}
