import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { trimEndOf } from '#lib/text.ts'

/** The first choice of OWASP's cheat sheet with little memory: 19 MiB, two passes. About 40 ms on one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32

type Cost = { memory: number; passes: number; parallelism: number }

/** argon2id in the usual form, `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Slow on purpose: call it before a transaction. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost, hashBytes)
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Also reads the scrypt hashes of better-auth, which Hydrant made before 0.3. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  if (needsRehash(hash)) {
    const { verifyPassword: verifyScrypt } = await import('better-auth/crypto')
    return verifyScrypt({ hash, password })
  }
  const parsed = parse(hash)
  if (parsed === null) return false
  const given = await derive(password, parsed.salt, parsed.cost, parsed.hash.length)
  return timingSafeEqual(given, parsed.hash)
}

/** Whether the hash is an old one, to be replaced when its owner next signs in. */
export const needsRehash = (hash: string): boolean => !hash.startsWith('$argon2id$')

function derive(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) {
  // The same password typed on another keyboard can have other code points.
  const message = password.normalize('NFKC')
  return new Promise<Buffer>((resolve, reject) =>
    argon2('argon2id', { message, nonce, parallelism, tagLength, memory, passes }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

function parse(text: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const found = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,86})$/.exec(text)
  if (found === null) return null
  const [, memory, passes, parallelism, salt = '', hash = ''] = found
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const unpadded = (bytes: Buffer): string => trimEndOf(bytes.toString('base64'), '=')
