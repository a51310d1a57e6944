import { beforeEach, expect, test } from 'vitest'
import { findIssueByShortId } from '#domain/issues/find-issue.ts'
import { changeProject, deleteProject, graceMs, restoreProject } from '#domain/projects/change-project.ts'
import { createNamedProject, createProject, ensureProject } from '#domain/projects/create-project.ts'
import { listDeletedProjects } from '#domain/projects/list-deleted-projects.ts'
import { listVisibleProjects } from '#domain/projects/unscoped-projects.ts'
import { readKeys } from '#store/control/read-keys.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

onEachEngine(({ newAcme }) => {
  let world: World
  let organizationId: number
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    const project = await world.control.db.selectFrom('project').select('organization_id').executeTakeFirstOrThrow()
    organizationId = project.organization_id
  })

  const target = () => ({ organizationId, projectId: world.web })
  const change = (name: string, slug: string, projectId = world.web) =>
    changeProject(world.context, { organizationId, projectId, name, slug })
  const remove = (confirmation: string, projectId = world.web) =>
    deleteProject(world.context, { organizationId, projectId, confirmation })
  const projects = () =>
    listVisibleProjects(world.control, organizationId, { seesAll: true, userId: null }).then(seen => seen.projects)
  const web = async () => (await projects()).find(({ id }) => id === world.web)
  const viewer = async () =>
    viewAs(
      { control: world.control },
      {
        organization: { id: organizationId, slug: 'acme', name: 'Acme' },
        projects: await projects(),
        now: world.clock.now,
      },
    )
  const actions = async () => {
    const rows = await world.control.db.selectFrom('audit').select(['action', 'target']).orderBy('id').execute()
    return rows.filter(row => row.target === `project:${world.web}`).map(({ action }) => action)
  }

  test('a new project gets the next free slug, whoever has the name', async () => {
    const create = (name: string, slug: string) => createNamedProject(world.context, { organizationId, name, slug })
    await world.control.db.updateTable('project').set({ is_private: 1 }).where('id', '=', world.other).execute()
    await remove('web')
    for (const [slug, made] of [
      ['web', 'web-2'], // deleted
      ['web', 'web-3'], // theirs
      ['other', 'other-2'], // hidden
      ['s'.repeat(50), 's'.repeat(50)],
      ['s'.repeat(50), `${'s'.repeat(48)}-2`],
    ] as const)
      expect(await create('Shop', slug)).toMatchObject({ ok: true, project: { slug: made } })
    expect(await create('…', '')).toEqual({ ok: false, code: 'slug_invalid' })
    expect((await projects()).filter(({ name }) => name === 'Shop')).toHaveLength(5)
  })

  test('a renamed project is found by its old slug and short ids, until another project takes the slug', async () => {
    const issueId = await world.addIssue({ number: 7 })
    expect(await change('Web shop', 'shop')).toEqual({ ok: true, slug: 'shop' })
    expect(await web()).toMatchObject({ slug: 'shop', name: 'Web shop', formerSlugs: ['web'] })
    expect(await findIssueByShortId(await viewer(), 'SHOP-7')).toBe(issueId)
    expect(await findIssueByShortId(await viewer(), 'WEB-7')).toBe(issueId)
    expect(await change('Web shop', 'store')).toMatchObject({ ok: true })
    expect((await web())?.formerSlugs?.toSorted()).toEqual(['shop', 'web'])
    // Back again, then another one takes a slug that is free.
    expect(await change('Web shop', 'web')).toMatchObject({ ok: true })
    expect((await web())?.formerSlugs?.toSorted()).toEqual(['shop', 'store'])
    await createProject(world.context, { organizationId, slug: 'shop' })
    expect(await change('Other', 'store', world.other)).toMatchObject({ ok: true })
    expect((await web())?.formerSlugs).toEqual([])
    expect(await findIssueByShortId(await viewer(), 'SHOP-7')).toBeNull()
    expect((await actions()).filter(action => action === 'project.change')).toHaveLength(3)
  })

  test('a rename is refused with a reason and changes nothing', async () => {
    for (const [name, slug, code] of [
      ['', 'web', 'name_missing'],
      ['Web', 'other', 'slug_taken'],
      ['Web', 'Not a slug', 'slug_invalid'],
      ['Web', '42', 'slug_invalid'],
    ] as const)
      expect(await change(name, slug)).toEqual({ ok: false, code })
    const elsewhere = { ...target(), organizationId: organizationId + 1, name: 'x', slug: 'x' }
    expect(await changeProject(world.context, elsewhere)).toEqual({ ok: false, code: 'project_not_found' })
    expect(await web()).toMatchObject({ slug: 'web', name: 'web', formerSlugs: [] })
  })

  test('two renames to one slug at once: one gets it', async () => {
    const results = await Promise.all([change('A', 'wanted'), change('B', 'wanted', world.other)])
    expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true])
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, code: 'slug_taken' })
  })

  test('a deleted project is seen by nobody and refuses events, and is restored as it was', async () => {
    const before = await world.control.db.selectFrom('project').selectAll().where('id', '=', world.web).execute()
    expect(await remove('wrong')).toEqual({ ok: false, code: 'confirmation_differs' })
    expect(await remove(' web ')).toEqual({ ok: true })
    expect(await remove('web')).toEqual({ ok: false, code: 'project_not_found' })
    expect(await web()).toBeUndefined()
    const isDeleted = async () =>
      (await readKeys(world.control)).keys.filter(key => key.projectId === world.web).map(key => key.isDeleted)
    expect(await isDeleted()).toEqual([true])
    expect(await change('Web', 'shop')).toEqual({ ok: false, code: 'project_not_found' })
    expect(await createProject(world.context, { organizationId, slug: 'web' })).toMatchObject({ code: 'slug_taken' })
    expect(await ensureProject(world.context, { organizationId, slug: 'web' })).toMatchObject({
      code: 'project_deleted',
    })
    expect(await listDeletedProjects(await viewer())).toEqual([
      { id: world.web, slug: 'web', name: 'web', restorableUntil: world.clock.now + graceMs },
    ])
    world.clock.now += graceMs
    const elsewhere = { ...target(), organizationId: organizationId + 1 }
    expect(await restoreProject(world.context, elsewhere)).toMatchObject({ code: 'project_not_found' })
    expect(await restoreProject(world.context, target())).toEqual({ ok: true, slug: 'web' })
    expect(await restoreProject(world.context, target())).toMatchObject({ code: 'project_not_found' })
    expect(await isDeleted()).toEqual([false])
    expect(await world.control.db.selectFrom('project').selectAll().where('id', '=', world.web).execute()).toEqual(
      before,
    )
    expect((await actions()).slice(-2)).toEqual(['project.delete', 'project.restore'])
  })

  test('after the grace period a project is not restored, and the internal one is never deleted', async () => {
    await remove('web')
    world.clock.now += graceMs + 1
    expect(await restoreProject(world.context, target())).toEqual({ ok: false, code: 'grace_over' })
    expect(await listDeletedProjects(await viewer())).toEqual([])
    const internal = (await projects()).find(({ isInternal }) => isInternal)
    expect(await remove(internal?.slug ?? '', internal?.id)).toEqual({ ok: false, code: 'project_internal' })
  })
})
