import { createHash } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { addMember, addUserAsMember, createUser } from '#domain/members/add-member.ts'
import { createOrganization, createProject } from '#domain/projects/create-project.ts'
import { createProjectKey, switchProjectKey } from '#domain/projects/project-keys.ts'
import { hashPassword, verifyPassword } from '#domain/sign-in/password-hash.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import type { Control } from '#store/control/open-control.ts'
import type { EngineUnderTest } from '../on-each-engine.ts'

const at = 1_794_700_000_000
const password = 'correct horse'

export function commandsSuite({ dialect, newControl }: EngineUnderTest): void {
  describe('commands', () => {
    let control: Control
    let context: CommandContext
    beforeEach(async () => {
      control = await newControl()
      context = { db: control.db, actor: 'test', now: () => at }
    })
    const actions = async () =>
      (await control.db.selectFrom('audit').select(['action', 'actor']).orderBy('id').execute()).map(
        ({ action, actor }) => `${actor} ${action}`,
      )
    const newOrganization = async (slug = 'acme') => {
      const made = await createOrganization(context, { slug })
      if (!made.ok) throw new Error(made.code)
      return made.organization.id
    }
    const newProject = async (organizationId: number, slug = 'web') => {
      const made = await createProject(context, { organizationId, slug })
      if (!made.ok) throw new Error(made.code)
      return made.project.id
    }

    test('an organization has a slug of its own, and its making is on record', async () => {
      expect(await createOrganization(context, { slug: 'acme', name: 'Acme Inc.' })).toEqual({
        ok: true,
        organization: { id: 1, slug: 'acme' },
      })
      expect(await createOrganization(context, { slug: 'acme' })).toEqual({ ok: false, code: 'slug_taken' })
      expect(await createOrganization(context, { slug: 'api' })).toEqual({ ok: false, code: 'slug_reserved' })
      expect(await createOrganization(context, { slug: 'A' })).toEqual({ ok: false, code: 'slug_invalid' })
      expect(await actions()).toEqual(['test organization.create'])
    })

    test('projects are counted from 1 around the ids that teams bring along', async () => {
      const organizationId = await newOrganization()
      const make = (slug: string, id?: number) => createProject(context, { organizationId, slug, id })
      expect(await make('one')).toEqual({ ok: true, project: { id: 1, slug: 'one' } })
      expect(await make('moved', 2)).toEqual({ ok: true, project: { id: 2, slug: 'moved' } })
      expect(await make('huge', 4_505_123_456_789_012)).toMatchObject({ ok: true })
      expect(await make('two')).toEqual({ ok: true, project: { id: 3, slug: 'two' } })
      expect(await make('three', 2)).toEqual({ ok: false, code: 'project_id_taken' })
      expect(await make('three', 2 ** 53)).toEqual({ ok: false, code: 'project_id_invalid' })
      expect(await make('two')).toEqual({ ok: false, code: 'slug_taken' })
      expect(await make('Two')).toEqual({ ok: false, code: 'slug_invalid' })
      expect(await createProject(context, { organizationId: 99, slug: 'web' })).toEqual({
        ok: false,
        code: 'organization_not_found',
      })
      expect(await make('three')).toEqual({ ok: true, project: { id: 4, slug: 'three' } })
    })

    test('projects that are made at the same time get different ids', async () => {
      const organizationId = await newOrganization()
      const made = await Promise.all(
        [1, 2, 3, 4, 5].map(n => createProject(context, { organizationId, slug: `p-${n}` })),
      )
      expect(made.map(result => (result.ok ? result.project.id : result.code)).sort()).toEqual([1, 2, 3, 4, 5])
    })

    test('a key is 32 hex digits, made or brought along, and belongs to one project', async () => {
      const organizationId = await newOrganization()
      const projectId = await newProject(organizationId)
      const made = await createProjectKey(context, { organizationId, projectId })
      expect(made).toMatchObject({ ok: true, key: { id: 1, publicKey: expect.stringMatching(/^[0-9a-f]{32}$/) } })
      const publicKey = '0123456789abcdef0123456789abcdef'
      expect(await createProjectKey(context, { organizationId, projectId, publicKey })).toEqual({
        ok: true,
        key: { id: 2, publicKey },
      })
      expect(await createProjectKey(context, { organizationId, projectId, publicKey })).toEqual({
        ok: false,
        code: 'key_taken',
      })
      expect(await createProjectKey(context, { organizationId, projectId, publicKey: 'ABC' })).toEqual({
        ok: false,
        code: 'key_invalid',
      })
      const elsewhere = await newOrganization('elsewhere')
      for (const wrong of [
        { organizationId, projectId: 99 },
        { organizationId: elsewhere, projectId },
      ])
        expect(await createProjectKey(context, wrong)).toEqual({ ok: false, code: 'project_not_found' })
    })

    test('a key is disabled within its own project only, and once', async () => {
      const organizationId = await newOrganization()
      const [projectId, other] = [await newProject(organizationId), await newProject(organizationId, 'other')]
      await createProjectKey(context, { organizationId, projectId })
      expect(await switchProjectKey(context, { organizationId, projectId: other, keyId: 1, isActive: false })).toEqual({
        ok: false,
        code: 'key_not_found',
      })
      for (let round = 0; round < 2; round++)
        expect(await switchProjectKey(context, { organizationId, projectId, keyId: 1, isActive: false })).toEqual({
          ok: true,
        })
      expect(await control.db.selectFrom('project_key').select('is_active').execute()).toEqual([{ is_active: 0 }])
      expect((await actions()).filter(action => action.includes('disable'))).toEqual(['test project_key.disable'])
    })

    test('a user who was added can sign in, with the right password and any spelling of the address', async () => {
      expect(await createUser(context, { email: ' Ann@Acme.dev ', name: 'Ann', password })).toMatchObject({ ok: true })
      const auth = betterAuth({
        database: { db: control.db, type: dialect },
        secret: createHash('sha256').update('for this test').digest('hex'),
        baseURL: 'http://localhost:8000',
        emailAndPassword: { enabled: true, password: { hash: hashPassword, verify: verifyPassword } },
      })
      const signedIn = await auth.api.signInEmail({ body: { email: 'ANN@acme.dev', password } })
      expect(signedIn.user).toMatchObject({ email: 'ann@acme.dev', name: 'Ann', emailVerified: false })
      await expect(auth.api.signInEmail({ body: { email: 'ann@acme.dev', password: 'wrong horse' } })).rejects.toThrow()
      expect(await control.db.selectFrom('session').select('userId').execute()).toEqual([{ userId: signedIn.user.id }])
    })

    test('a user needs an address nobody has and a password of bearable length', async () => {
      await createUser(context, { email: 'ann@acme.dev', password })
      expect(await createUser(context, { email: 'ANN@acme.dev', password })).toEqual({ ok: false, code: 'email_taken' })
      expect(await createUser(context, { email: 'ann', password })).toEqual({ ok: false, code: 'email_invalid' })
      expect(await createUser(context, { email: 'b@acme.dev', password: 'short' })).toEqual({
        ok: false,
        code: 'password_too_short',
      })
      expect(await createUser(context, { email: 'b@acme.dev', password: 'x'.repeat(129) })).toEqual({
        ok: false,
        code: 'password_too_long',
      })
      expect(await createUser(context, { email: 'b@acme.dev', password: 'Summer2026!' })).toEqual({
        ok: false,
        code: 'password_common',
      })
      expect(await control.db.selectFrom('account').select('providerId').execute()).toEqual([
        { providerId: 'credential' },
      ])
    })

    test('a person joins an organization once, and both must exist', async () => {
      const organizationId = await newOrganization()
      const user = await createUser(context, { email: 'ann@acme.dev', password })
      if (!user.ok) throw new Error(user.code)
      const join = { organizationId, userId: user.userId, role: 'member' as const }
      expect(await addMember(context, join)).toEqual({ ok: true })
      expect(await addMember(context, join)).toEqual({ ok: false, code: 'member_exists' })
      expect(await addMember(context, { ...join, organizationId: 99 })).toEqual({
        ok: false,
        code: 'organization_not_found',
      })
      expect(await addMember(context, { ...join, userId: 'nobody' })).toEqual({ ok: false, code: 'user_not_found' })
    })

    test('adding somebody asks which organization only where there are several', async () => {
      const ann = { email: 'ann@acme.dev', password, role: 'viewer' as const }
      expect(await addUserAsMember(context, ann)).toEqual({ ok: false, code: 'organization_not_found' })
      await newOrganization('acme')
      expect(await addUserAsMember(context, ann)).toMatchObject({ ok: true, state: 'new', organizationSlug: 'acme' })
      expect(await addUserAsMember(context, ann)).toEqual({ ok: false, code: 'member_exists' })
      await newOrganization('other')
      expect(await addUserAsMember(context, ann)).toEqual({ ok: false, code: 'organization_unclear' })
      expect(await addUserAsMember(context, { ...ann, organizationSlug: 'other' })).toMatchObject({
        ok: true,
        state: 'present',
      })
    })

    test('a token tells tools where to go, and only its hash is kept', async () => {
      const organizationId = await newOrganization()
      const publicUrl = 'https://errors.acme.dev'
      const made = await createAuthToken(context, { organizationId, name: 'CI', publicUrl })
      if (!made.ok) throw new Error(made.code)
      const [prefix, payload = '', secret = '', ...rest] = made.token.split('_')
      expect({ prefix, rest, secretBytes: Buffer.from(secret, 'base64').length }).toEqual({
        prefix: 'sntrys',
        rest: [],
        secretBytes: 32,
      })
      expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toEqual({
        iat: at / 1000,
        url: publicUrl,
        region_url: publicUrl,
        org: 'acme',
      })
      expect(await control.db.selectFrom('auth_token').selectAll().execute()).toMatchObject([
        {
          token_hash: createHash('sha256').update(made.token).digest('hex'),
          token_hint: made.token.slice(-4),
          revoked_at: null,
        },
      ])
      expect(await createAuthToken(context, { organizationId: 99, name: 'CI', publicUrl })).toEqual({
        ok: false,
        code: 'organization_not_found',
      })
      expect(await createAuthToken(context, { organizationId, name: ' ', publicUrl })).toEqual({
        ok: false,
        code: 'name_missing',
      })
    })
  })
}
