/** Saved views: a name for the URL of a list. */
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { changeView, listDefaultViews, listSavedViews, saveView, type ViewChange } from '#domain/views/saved-views.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

onEachEngine(({ newAcme }) => {
  let world: World
  let organizationId: number
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    const project = world.control.db.selectFrom('project').select('organization_id').where('id', '=', world.web)
    organizationId = (await project.executeTakeFirstOrThrow()).organization_id
    const times = {
      createdAt: new Date(world.clock.now).toISOString(),
      updatedAt: new Date(world.clock.now).toISOString(),
    }
    await world.control.db
      .insertInto('user')
      .values({ id: 'bob', name: 'Bob', email: 'bob@example.com', ...times, emailVerified: sql`false` })
      .execute()
  })
  const viewer = (userId: string) =>
    viewAs(
      { control: world.control },
      {
        projects: [world.web],
        user: { id: userId, name: '', email: '' },
        organization: { id: organizationId, slug: 'acme', name: '' },
      },
    )
  const save = (userId: string, name: string, query: string, isShared = false, mayShare = true) =>
    saveView(world.context, { organizationId, userId, mayShare, list: 'issues', name, query, isShared })
  const change = async (userId: string, name: string, what: ViewChange, query = '', mayShare = true) => {
    const view = (await world.control.db.selectFrom('saved_view').select('id').where('name', '=', name).execute())[0]
    return changeView(world.context, { organizationId, userId, mayShare, viewId: view?.id ?? 0, change: what, query })
  }
  const names = async (userId: string) => (await listSavedViews(viewer(userId), 'issues')).map(({ name }) => name)

  test('a member sees their own views and the shared ones, in order', async () => {
    await save(world.userId, 'Mine', '?q=assigned%3Ame&after=3')
    await save(world.userId, 'Checkout', 'q=route%3A%2Fcheckout', true)
    await save('bob', 'Of Bob', 'q=is%3Anew')
    expect(await names(world.userId)).toEqual(['Mine', 'Checkout'])
    expect(await names('bob')).toEqual(['Checkout', 'Of Bob'])
    expect((await listSavedViews(viewer(world.userId), 'issues'))[0]).toMatchObject({
      query: 'q=assigned%3Ame',
      isShared: false,
      isMine: true,
      isDefault: false,
    })
    await change(world.userId, 'Checkout', 'earlier')
    expect(await names(world.userId)).toEqual(['Checkout', 'Mine'])
    expect(await listSavedViews(viewer(world.userId), 'traces')).toEqual([])
  })

  test('a list opens with the default of each member', async () => {
    await save(world.userId, 'Checkout', 'q=route%3A%2Fcheckout', true)
    await save(world.userId, 'Other', 'q=other', true)
    await change('bob', 'Checkout', 'default', '', false)
    expect(await listDefaultViews(viewer('bob'))).toEqual({ issues: 'q=route%3A%2Fcheckout' })
    await change('bob', 'Other', 'default', '', false)
    expect(await listDefaultViews(viewer('bob'))).toEqual({ issues: 'q=other' })
    expect(await listDefaultViews(viewer(world.userId))).toEqual({})
    await change(world.userId, 'Other', 'unshare')
    expect(await listDefaultViews(viewer('bob'))).toEqual({})
    await change(world.userId, 'Checkout', 'default')
    await change(world.userId, 'Checkout', 'delete')
    expect(await listDefaultViews(viewer(world.userId))).toEqual({})
  })

  test('nobody changes the own view of somebody else, and only who may share changes a shared one', async () => {
    await save(world.userId, 'Mine', 'q=mine')
    await save(world.userId, 'Checkout', 'q=checkout', true)
    expect(await change('bob', 'Mine', 'delete')).toEqual({ ok: false, code: 'view_not_found' })
    expect(await change('bob', 'Checkout', 'delete', '', false)).toEqual({ ok: false, code: 'not_permitted' })
    expect(await save('bob', 'All', 'q=all', true, false)).toEqual({ ok: false, code: 'not_permitted' })
    expect(await change('bob', 'Checkout', 'replace', 'q=better')).toMatchObject({ ok: true })
    expect((await listSavedViews(viewer('bob'), 'issues'))[0]?.query).toBe('q=better')
  })

  test('a view needs a name, and there are at most fifty', async () => {
    expect(await save(world.userId, '  ', 'q=x')).toEqual({ ok: false, code: 'name_missing' })
    expect(await save(world.userId, 'Long', `q=${'x'.repeat(9_000)}`)).toEqual({ ok: false, code: 'view_too_long' })
    for (let count = 0; count < 50; count++) await save(world.userId, `${count}`, 'q=x')
    expect(await save(world.userId, 'one more', 'q=x')).toEqual({ ok: false, code: 'too_many_views' })
  })
})
