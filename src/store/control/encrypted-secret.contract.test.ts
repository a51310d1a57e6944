import { expect, test } from 'vitest'
import type { Control } from '#store/control/control.ts'
import { onEachEngine } from '../../../test/contract/on-each-engine.ts'
import { decryptSecret, encryptSecret, rotateSecrets } from './encrypted-secret.ts'

const installationSecret = 'a'.repeat(64)

onEachEngine(({ newControl }) => {
  const encrypt = (control: Control, plain: string, secret = installationSecret) =>
    encryptSecret(control.db, secret, { purpose: 'channel', plain })
  const decrypt = (control: Control, text: string, secret = installationSecret) =>
    decryptSecret(control.db, secret, { purpose: 'channel', text })
  const rotate = (control: Control, given: { installationSecret: string; oldSecret?: string }) =>
    control.db.transaction().execute(trx => rotateSecrets(trx, { ...given, now: 2_000 }))

  /** A channel whose secret is stored. */
  const addChannel = async (control: Control, secret: string): Promise<number> => {
    const organization = await control.db
      .insertInto('organization')
      .values({ slug: 'acme', name: '', created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const values = { organization_id: organization.id, name: 'hook', kind: 'webhook', config: '{}', secret }
    const row = await control.db
      .insertInto('channel')
      .values({ ...values, state_at: 0, created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const storedSecret = async (control: Control, id: number) =>
    (await control.db.selectFrom('channel').select('secret').where('id', '=', id).executeTakeFirstOrThrow()).secret

  test('a secret is only readable with the installation secret, and not when it was changed', async () => {
    const control = await newControl()
    const text = await encrypt(control, 'https://hooks.example/T0/secret 🔑')
    expect(text).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/)
    expect(text).not.toContain('secret')
    expect(await encrypt(control, 'https://hooks.example/T0/secret 🔑')).not.toBe(text)
    expect(await decrypt(control, text)).toBe('https://hooks.example/T0/secret 🔑')
    expect(await decrypt(control, text, 'b'.repeat(64))).toBeNull()
    const changed = `${text.slice(0, -6)}${text.at(-6) === 'A' ? 'B' : 'A'}${text.slice(-5)}`
    expect(await decrypt(control, changed)).toBeNull()
    for (const broken of ['', 'v1', 'v1.x.y', 'plain text', `v2${text.slice(2)}`])
      expect(await decrypt(control, broken)).toBeNull()
  })

  test('a rotation encrypts every secret with a new key and forgets the old one', async () => {
    const control = await newControl()
    const before = await encrypt(control, 'token')
    const id = await addChannel(control, before)
    expect(await rotate(control, { installationSecret })).toEqual({ rotated: 1, lost: 0 })
    const after = await storedSecret(control, id)
    expect(after.split('.')[1]).not.toBe(before.split('.')[1])
    expect(await decrypt(control, after)).toBe('token')
    expect(await decrypt(control, before)).toBeNull()
    expect(await control.db.selectFrom('secret_key').select('id').execute()).toEqual([{ id: after.split('.')[1] }])
  })

  test('after the installation secret has changed, a rotation with the old one makes secrets readable again', async () => {
    const control = await newControl()
    const id = await addChannel(control, await encrypt(control, 'token'))
    const changed = 'c'.repeat(64)
    expect(await rotate(control, { installationSecret: changed })).toEqual({ rotated: 0, lost: 1 })
    expect(await decrypt(control, await storedSecret(control, id))).toBe('token')
    expect(await rotate(control, { installationSecret: changed, oldSecret: installationSecret })).toEqual({
      rotated: 1,
      lost: 0,
    })
    expect(await decrypt(control, await storedSecret(control, id), changed)).toBe('token')
    // A new secret does not wait for a rotation.
    expect(await decrypt(control, await encrypt(control, 'other', changed), changed)).toBe('other')
  })

  test('a secret that is stored while the keys are rotated stays readable', async () => {
    const control = await newControl()
    await encrypt(control, 'first')
    const store = control.db.transaction().execute(async trx => {
      const text = await encryptSecret(trx, installationSecret, { purpose: 'channel', plain: 'token' })
      return addChannel({ ...control, db: trx }, text)
    })
    const [id] = await Promise.all([store, rotate(control, { installationSecret })])
    expect(await decrypt(control, await storedSecret(control, id))).toBe('token')
  })
})
