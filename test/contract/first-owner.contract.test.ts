import { expect, test } from 'vitest'
import { createFirstOwner } from '#jobs/create-first-owner.ts'
import { openLog } from '#lib/open-log.ts'
import { onEachEngine } from './on-each-engine.ts'

const firstOwner = { email: 'ada@acme.dev', password: 'correct horse battery', organization: 'acme', project: 'shop' }
const log = openLog('main', 'silent')

onEachEngine(({ newControl, newAcme }) => {
  test('the first owner is created once, with organization, project and key', async () => {
    const control = await newControl()
    await createFirstOwner({ firstOwner, control, log })
    await createFirstOwner({ firstOwner: { ...firstOwner, email: 'eve@acme.dev' }, control, log })
    const users = await control.db
      .selectFrom('user')
      .innerJoin('member', 'member.user_id', 'user.id')
      .innerJoin('organization', 'organization.id', 'member.organization_id')
      .select(['user.email', 'user.emailVerified', 'member.role', 'organization.slug'])
      .execute()
    expect(users.map(user => ({ ...user, emailVerified: Boolean(user.emailVerified) }))).toEqual([
      { email: 'ada@acme.dev', emailVerified: true, role: 'owner', slug: 'acme' },
    ])
    const projects = await control.db.selectFrom('project').select('slug').orderBy('slug').execute()
    expect(projects.map(({ slug }) => slug)).toEqual(['hydrant', 'shop'])
  })

  test('nothing happens without the variables, in an installation with members, or with a password that pages refuse', async () => {
    const control = await newControl()
    const count = async (of = control) => (await of.db.selectFrom('user').select('id').execute()).length
    await createFirstOwner({ firstOwner: null, control, log })
    await createFirstOwner({ firstOwner: { ...firstOwner, password: 'password' }, control, log })
    expect(await count()).toBe(0)
    const acme = await newAcme()
    const before = await count(acme)
    await createFirstOwner({ firstOwner, control: acme, log })
    expect(await count(acme)).toBe(before)
  })
})
