import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { setUp } from '#domain/projects/provision.ts'
import type { Control } from '#store/control/open-control.ts'
import type { EngineUnderTest } from '../on-each-engine.ts'

const password = 'correct horse'

export function firstRunSuite({ newControl }: EngineUnderTest): void {
  describe('the first run', () => {
    let control: Control
    let context: CommandContext
    beforeEach(async () => {
      control = await newControl()
      context = { db: control.db, actor: 'test', now: () => 1_794_700_000_000 }
    })
    const first = {
      owner: { email: 'ann@acme.dev', password },
      organization: { slug: 'acme' },
      project: { slug: 'web' },
    }

    test('makes an owner, an organization, a project with its key and the project for our own errors', async () => {
      expect(await setUp(context, first)).toMatchObject({
        ok: true,
        organization: { id: 1, slug: 'acme' },
        project: { id: 1, slug: 'web' },
      })
      expect(await control.db.selectFrom('member').select(['organization_id', 'role']).execute()).toEqual([
        { organization_id: 1, role: 'owner' },
      ])
      const projects = await control.db
        .selectFrom('project')
        .innerJoin('project_key', 'project_key.project_id', 'project.id')
        .select(['slug', 'is_internal', 'is_active'])
        .orderBy('project.id')
        .execute()
      expect(projects).toEqual([
        { slug: 'web', is_internal: 0, is_active: 1 },
        { slug: 'hydrant', is_internal: 1, is_active: 1 },
      ])
    })

    test('happens once, also when two people press the button together', async () => {
      const second = { ...first, owner: { email: 'bob@acme.dev', password }, organization: { slug: 'other' } }
      const results = await Promise.all([setUp(context, first), setUp(context, second)])
      expect(results.map(result => (result.ok ? 'ok' : result.code)).sort()).toEqual(['already_set_up', 'ok'])
      expect(await control.db.selectFrom('organization').select('id').execute()).toHaveLength(1)
    })

    test('says which part of the form was wrong and leaves nothing behind', async () => {
      expect(await setUp(context, { ...first, project: { slug: 'W' } })).toEqual({
        ok: false,
        code: 'slug_invalid',
        field: 'project',
      })
      expect(await setUp(context, { ...first, organization: { slug: 'api' } })).toEqual({
        ok: false,
        code: 'slug_reserved',
        field: 'organization',
      })
      expect(await setUp(context, { ...first, owner: { email: 'x', password } })).toEqual({
        ok: false,
        code: 'email_invalid',
        field: 'owner',
      })
      expect(await setUp(context, { ...first, owner: { email: 'a@b.c', password: '' } })).toEqual({
        ok: false,
        code: 'password_too_short',
        field: 'owner',
      })
      expect(await control.db.selectFrom('audit').selectAll().execute()).toEqual([])
      expect(await control.db.selectFrom('user').select('id').execute()).toEqual([])
      expect(await setUp(context, first)).toMatchObject({ ok: true })
    })

    test('finds another name for its own project where the team took the usual one', async () => {
      await setUp(context, { ...first, project: { slug: 'hydrant' } })
      expect(await control.db.selectFrom('project').select('slug').orderBy('id').execute()).toEqual([
        { slug: 'hydrant' },
        { slug: 'hydrant-internal' },
      ])
    })
  })
}
