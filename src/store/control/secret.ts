import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefusal } from '#lib/start-refusal.ts'

/** HYDRANT_SECRET, otherwise the secret in the data folder, which the first process creates. */
export function loadSecret({ secret, dataDir }: { secret?: string | undefined; dataDir: string }): string {
  if (secret !== undefined) return secret
  const path = join(dataDir, 'secret')
  const found = readSecret(path) ?? createSecret(dataDir, path)
  // Sessions signed with a truncated secret could be forged.
  if (!/^[0-9a-f]{64}$/.test(found))
    throw new StartRefusal(
      `Hydrant cannot start: ${path}, which signs sessions, is damaged. Restore it from a backup, or delete it. Then all users have to sign in again.`,
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

/** Written to a draft and hard-linked, so that no process reads half a secret. EEXIST: another process was first. */
function createSecret(dataDir: string, path: string): string {
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

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // 32 characters without lookalikes
const length = 16 // 80 bits

/**
 * The code for the first setup (`7k3m-…`), printed where Hydrant was started. Derived from the secret, so it is the same after a
 * restart and on every node. It is useless once the owner exists.
 */
export function setupCode(installationSecret: string): string {
  const bytes = createHmac('sha256', installationSecret).update('setup-code').digest()
  const letters = Array.from({ length }, (_, index) => alphabet[(bytes[index] ?? 0) % alphabet.length]).join('')
  return letters.match(/.{4}/g)?.join('-') ?? letters
}

/** The key of hashes that replace private values. Derived, so that it is in no database and no backup of one. */
export const scrubKey = (installationSecret: string): string =>
  createHmac('sha256', installationSecret).update('scrub-hash').digest('hex')

/** With which log drains sign what they send. Derived for each DSN key, so that a new key is a new secret and none is stored. */
export const drainSecret = (installationSecret: string, keyId: number): string =>
  createHmac('sha256', installationSecret).update(`log-drain:${keyId}`).digest('hex').slice(0, 40)

/** Encrypts what a server action carries through the browser. Derived, so that builds hold no key and all nodes have the same one. */
export const serverActionsKey = (installationSecret: string): string =>
  createHmac('sha256', installationSecret).update('server-actions').digest('base64')

/** Constant-time comparison that ignores case and separators. */
export function isSetupCode(installationSecret: string, given: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(setupCode(installationSecret)))
}

const digestOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^0-9a-z]/g, ''))
    .digest()
