import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefusal } from '#lib/start-refusal.ts'

/** `loadSecret(config)`: from the environment, else from the data folder, where the first process to ask makes it. */
export function loadSecret({ secret, dataDir }: { secret?: string | undefined; dataDir: string }): string {
  if (secret !== undefined) return secret
  const path = join(dataDir, 'secret')
  const found = readSecret(path) ?? makeSecret(dataDir, path)
  // Sessions signed with what is left of a secret could be forged.
  if (!/^[0-9a-f]{64}$/.test(found))
    throw new StartRefusal(
      `Hydrant cannot start: ${path}, which signs sessions, is damaged. Restore it from a backup, or delete it; everybody then has to sign in again.`,
    )
  return found
}

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** A hard link either appears whole or fails because another process was first: nobody ever reads half a secret. */
function makeSecret(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${randomBytes(32).toString('hex')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

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
