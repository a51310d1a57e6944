import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // 32 letters, none that is taken for another
const length = 16 // 80 bits

/**
 * What the first visitor has to know, printed where Hydrant was started: `7k3m-…`. Derived from the installation's secret, so it is the
 * same after a restart and on every node; once somebody has used it there is nothing left to set up.
 */
export function setupCode(installationSecret: string): string {
  const bytes = createHmac('sha256', installationSecret).update('setup-code').digest()
  const letters = Array.from({ length }, (_, index) => alphabet[(bytes[index] ?? 0) % alphabet.length]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? letters
}

/** In constant time, and without minding how it was typed. */
export function isSetupCode(installationSecret: string, given: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(setupCode(installationSecret)))
}

const digestOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
    .digest()
