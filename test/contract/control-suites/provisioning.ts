import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { type ProvisionInput, provision } from '#domain/projects/provision.ts'
import type { Control } from '#store/control/open-control.ts'
import type { EngineUnderTest } from '../on-each-engine.ts'

const key = '0123456789abcdef0123456789abcdef'

export function provisioningSuite({ newControl }: EngineUnderTest): void {
  describe('provisioning', () => {
    let control: Control
    let context: CommandContext
    let clock = 1_794_700_000_000
    const input: ProvisionInput = {
      organizationSlug: 'acme',
      owner: { email: 'ann@acme.dev', password: 'correct horse' },
      project: { slug: 'web' },
      publicUrl: 'https://errors.acme.dev',
      installationSecret: 'a secret of this installation',
    }
    beforeEach(async () => {
      control = await newControl()
      context = { db: control.db, actor: 'cli', now: () => clock++ }
    })
    const count = async (
      table: 'user' | 'organization' | 'project' | 'project_key' | 'auth_token' | 'audit' | 'member',
    ) => (await control.db.selectFrom(table).selectAll().execute()).length

    test('running it again makes nothing twice and answers the same, the token too', async () => {
      const first = await provision(context, input)
      const tables = ['user', 'organization', 'member', 'project', 'project_key', 'auth_token', 'audit'] as const
      const before = await Promise.all(tables.map(count))
      expect(first).toMatchObject({ ok: true, organization: { slug: 'acme' }, project: { id: 1, slug: 'web' } })
      expect(first.ok && first.dsn).toMatch(/^https:\/\/[0-9a-f]{32}@errors\.acme\.dev\/1$/)
      expect(await provision(context, input)).toEqual(first)
      expect(await provision(context, { ...input, owner: null })).toEqual(first)
      expect(await Promise.all(tables.map(count))).toEqual(before)
    })

    test('several at once agree', async () => {
      const results = await Promise.all([1, 2, 3].map(() => provision(context, input)))
      expect(new Set(results.map(result => JSON.stringify(result))).size).toBe(1)
      expect(results[0]).toMatchObject({ ok: true })
      expect(await count('user')).toBe(1)
    })

    test('a DSN that is in use elsewhere keeps its key and its number', async () => {
      const moved = { ...input, project: { slug: 'web', id: 4_505_123_456_789_012, publicKey: key } }
      expect(await provision(context, moved)).toMatchObject({
        ok: true,
        dsn: `https://${key}@errors.acme.dev/4505123456789012`,
      })
      expect(await provision(context, moved)).toMatchObject({ ok: true })
      expect(await provision(context, { ...input, project: { slug: 'web' } })).toMatchObject({
        dsn: `https://${key}@errors.acme.dev/4505123456789012`,
      })
    })

    test('a key or a number of another project is refused and nothing is made', async () => {
      await provision(context, { ...input, project: { slug: 'web', id: 7, publicKey: key } })
      const before = await count('audit')
      const refuse = async (project: ProvisionInput['project']) => {
        const result = await provision(context, { ...input, project })
        return result.ok ? 'ok' : result.code
      }
      expect(await refuse({ slug: 'shop', publicKey: key })).toBe('key_taken')
      expect(await refuse({ slug: 'shop', id: 7 })).toBe('project_id_taken')
      expect(await refuse({ slug: 'web', id: 8 })).toBe('project_id_differs')
      expect(await refuse({ slug: 'shop', publicKey: 'nonsense' })).toBe('key_invalid')
      expect(await refuse({ slug: 'not a slug' })).toBe('slug_invalid')
      expect(await count('audit')).toBe(before)
      await control.db.updateTable('project_key').set({ is_active: 0 }).where('public_key', '=', key).execute()
      expect(await refuse({ slug: 'web', publicKey: key })).toBe('key_disabled')
      expect(await refuse({ slug: 'web' })).toBe('ok')
    })

    test('an organization needs an owner, and an owner a password', async () => {
      expect(await provision(context, { ...input, owner: null })).toEqual({ ok: false, code: 'owner_missing' })
      expect(await provision(context, { ...input, owner: { email: 'ann@acme.dev' } })).toEqual({
        ok: false,
        code: 'password_missing',
      })
      expect(await count('organization')).toBe(0)
    })

    test('somebody who is known keeps password and role', async () => {
      await provision(context, input)
      await control.db.updateTable('member').set({ role: 'viewer' }).execute()
      const before = await control.db.selectFrom('account').select('password').execute()
      expect(
        await provision(context, { ...input, owner: { email: 'Ann@acme.dev', password: 'another horse' } }),
      ).toMatchObject({ ok: true })
      expect(await control.db.selectFrom('account').select('password').execute()).toEqual(before)
      expect(await control.db.selectFrom('member').select('role').execute()).toEqual([{ role: 'viewer' }])
    })

    test('a revoked token does not come back, and another address has a token of its own', async () => {
      const first = await provision(context, input)
      const elsewhere = await provision(context, { ...input, publicUrl: 'https://new.acme.dev/hydrant' })
      expect(first.ok && elsewhere.ok && first.token !== elsewhere.token).toBe(true)
      expect(elsewhere.ok && elsewhere.dsn).toMatch(/@new\.acme\.dev\/hydrant\/1$/)
      expect(await provision(context, input)).toEqual(first)
      await control.db.updateTable('auth_token').set({ revoked_at: clock }).execute()
      const after = await provision(context, input)
      expect(after.ok && first.ok && after.token !== first.token).toBe(true)
      const secretOf = (made: typeof first) => (made.ok ? made.token.split('_')[2] : '')
      expect(secretOf(after)).not.toBe(secretOf(first))
      expect(await provision(context, input)).toEqual(after)
    })

    test('a second organization does not get a second project for our own errors', async () => {
      await provision(context, input)
      await provision(context, { ...input, organizationSlug: 'other' })
      expect(await control.db.selectFrom('project').select('slug').where('is_internal', '=', 1).execute()).toEqual([
        { slug: 'hydrant' },
      ])
    })
  })
}
