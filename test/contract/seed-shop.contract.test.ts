import { expect, test } from 'vitest'
import { setUp } from '#domain/projects/provision.ts'
import type { Control } from '#store/control/control.ts'
import { ensureShop } from '../../src/cli/seed/ensure-shop.ts'
import { onEachEngine } from './on-each-engine.ts'

const context = ({ db }: Control) => ({ db, actor: 'test', now: () => 1_000 })

/** As in the browser. */
async function setUpAcme(control: Control): Promise<string> {
  const owner = { email: 'ada@example.com', password: 'correct horse' }
  const made = await setUp(context(control), { owner, organization: { slug: 'acme' }, project: { slug: 'web' } })
  if (!made.ok) throw new Error(made.code)
  return made.userId
}

const seedInto = (control: Control, organization: string | null) =>
  ensureShop(context(control), { organization, project: 'shop' })

const membersOf = (control: Control, slug: string) =>
  control.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select(['member.user_id', 'member.role'])
    .where('organization.slug', '=', slug)
    .execute()

onEachEngine(({ newControl }) => {
  test('seed writes into the only organization, twice into the same project', async () => {
    const control = await newControl()
    await setUpAcme(control)
    const first = await seedInto(control, null)
    expect(first).toMatchObject({ ok: true, organization: 'acme', project: 'shop', hasMembers: true })
    expect(await seedInto(control, null)).toEqual(first)
  })

  test('an organization that seed creates belongs to the owners of the only other one', async () => {
    const control = await newControl()
    const owner = await setUpAcme(control)
    expect(await seedInto(control, 'demo')).toMatchObject({ ok: true, organization: 'demo', hasMembers: true })
    expect(await membersOf(control, 'demo')).toEqual([{ user_id: owner, role: 'owner' }])
    expect(await seedInto(control, null)).toEqual({ ok: false, code: 'organization_unclear' })
    // Ada owns both of the others by now, but they need not stay hers.
    expect(await seedInto(control, 'third')).toMatchObject({ ok: true, hasMembers: false })
    expect(await membersOf(control, 'third')).toEqual([])
  })

  test('without an organization seed creates one that has no members', async () => {
    const control = await newControl()
    expect(await seedInto(control, null)).toMatchObject({ ok: true, organization: 'demo', hasMembers: false })
  })
})
