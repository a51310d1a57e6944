/**
 * Secrets at rest: AES-256-GCM under a key of the table `secret_key`, which is itself encrypted with a key derived from the
 * installation secret. So a copy of the database alone reveals nothing, and either key can be replaced.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { open, seal } from '#lib/seal.ts'
import type { ControlSchema } from './schema.ts'

type Db = Kysely<ControlSchema>
/** The purpose of a secret. A secret that was stored for another purpose can't be decrypted. */
type Purpose = 'channel'

const keyBytes = 32

/** Encrypts with the newest key. In a transaction, that key stays until its end: a rotation waits. */
export async function encryptSecret(
  db: Db,
  installationSecret: string,
  { purpose, plain }: { purpose: Purpose; plain: string },
): Promise<string> {
  const { id, key } = await holdNewestKey(db, installationSecret)
  return `v1.${id}.${seal(key, purpose, Buffer.from(plain, 'utf8'))}`
}

/** Null if the key is gone, the installation secret is another, or the text was changed. */
export async function decryptSecret(
  db: Db,
  installationSecret: string,
  { purpose, text }: { purpose: Purpose; text: string },
): Promise<string | null> {
  const [version, id = '', sealed = ''] = text.split('.')
  if (version !== 'v1') return null
  const row = await db.selectFrom('secret_key').select('wrapped').where('id', '=', id).executeTakeFirst()
  const key = row && unwrap(installationSecret, id, row.wrapped)
  return (key && open(key, purpose, sealed)?.toString('utf8')) ?? null
}

type Rotation = { installationSecret: string; oldSecret?: string | undefined; now: number }

/**
 * Encrypts every secret with a new key and deletes the old keys. `oldSecret` is the installation secret that the keys were wrapped
 * with, if it has changed since. Secrets that neither opens stay as they are and are counted.
 */
export async function rotateSecrets(trx: Transaction<ControlSchema>, { installationSecret, oldSecret, now }: Rotation) {
  // Locks the keys: whoever is encrypting finishes first, and then its row is among those below.
  await trx
    .updateTable('secret_key')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .execute()
  const rows = await trx.selectFrom('secret_key').select(['id', 'wrapped']).execute()
  const keys = new Map(
    rows.map(({ id, wrapped }) => [
      id,
      unwrap(installationSecret, id, wrapped) ?? (oldSecret === undefined ? null : unwrap(oldSecret, id, wrapped)),
    ]),
  )
  const created = await insertKey(trx, installationSecret, now)
  const channels = await trx.selectFrom('channel').select(['id', 'secret']).where('secret', '!=', '').execute()
  const lost = new Set<string>()
  for (const { id, secret } of channels) {
    const [, keyId = '', sealed = ''] = secret.split('.')
    const key = keys.get(keyId)
    const plain = key && open(key, 'channel', sealed)
    if (!plain) {
      lost.add(keyId)
      continue
    }
    const text = `v1.${created.id}.${seal(created.key, 'channel', plain)}`
    await trx.updateTable('channel').set({ secret: text }).where('id', '=', id).execute()
  }
  const replaced = rows.map(({ id }) => id).filter(id => !lost.has(id))
  if (replaced.length > 0) await trx.deleteFrom('secret_key').where('id', 'in', replaced).execute()
  return { rotated: channels.length - countLost(channels, lost), lost: countLost(channels, lost) }
}

const countLost = (rows: readonly { secret: string }[], lost: ReadonlySet<string>): number =>
  rows.filter(({ secret }) => lost.has(secret.split('.')[1] ?? '')).length

type SecretKey = { id: string; key: Buffer }

async function holdNewestKey(db: Db, installationSecret: string): Promise<SecretKey> {
  for (;;) {
    const row = await db
      .selectFrom('secret_key')
      .select(['id', 'wrapped'])
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    const key = row && unwrap(installationSecret, row.id, row.wrapped)
    // Also after the installation secret was changed: new secrets need no rotation.
    if (!key) return insertKey(db, installationSecret, Date.now())
    const held = await db
      .updateTable('secret_key')
      .set(eb => ({ created_at: eb.ref('created_at') }))
      .where('id', '=', row.id)
      .executeTakeFirst()
    if (held.numUpdatedRows > 0n) return { id: row.id, key }
  }
}

async function insertKey(db: Db, installationSecret: string, now: number): Promise<SecretKey> {
  const id = randomBytes(6).toString('hex')
  const key = randomBytes(keyBytes)
  const wrapped = seal(wrappingKey(installationSecret), `key:${id}`, key)
  await db.insertInto('secret_key').values({ id, wrapped, created_at: now }).execute()
  return { id, key }
}

const unwrap = (installationSecret: string, id: string, wrapped: string): Buffer | null =>
  open(wrappingKey(installationSecret), `key:${id}`, wrapped)

const wrappingKey = (installationSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', installationSecret, 'hydrant', 'secret-keys', keyBytes))
