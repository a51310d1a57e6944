/** The issues that the palette finds, in their order. */
import { beforeEach, expect, test } from 'vitest'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { searchIssueTitles } from '#domain/issues/search-titles.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents } from './digest-events.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, startedAt, type World } from './workflow-world.ts'

const dayMs = 86_400_000

onEachEngine(({ newAcme }) => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
  })

  const send = (type: string, users: number, ago = 0) =>
    digestEvents(
      world,
      Array.from({ length: users }, (_, user) => ({ type, user: `user-${user}`, at: startedAt - ago })),
    )
  const projects = () => [{ id: world.web, slug: 'web', name: 'web', isInternal: false }]
  const search = (text: string, limit = 6) =>
    searchIssueTitles(viewAs({ control: world.control }, { projects: projects(), now: startedAt }), text, limit)
  const types = async (text: string, limit?: number) =>
    (await search(text, limit)).map(({ title }) => title.split(':')[0])
  const issueOf = (type: string) =>
    world.control.db.selectFrom('issue').select('id').where('title', 'like', `${type}:%`).executeTakeFirstOrThrow()
  const setCulprit = (type: string, culprit: string) =>
    world.control.db.updateTable('issue').set({ culprit }).where('title', 'like', `${type}:%`).execute()

  test('issues with the text in the title come first, then those with more users in seven days', async () => {
    await send('CartError', 2)
    await send('PayError', 9)
    await send('CartFailure', 5)
    await send('OldCartError', 7, 8 * dayMs)
    await send('Happened', 1)
    await setCulprit('PayError', 'src/cart/total.ts')
    expect(await types('cart')).toEqual(['CartFailure', 'CartError', 'OldCartError', 'PayError'])
    expect(await search('cart')).toMatchObject([
      { shortId: 'WEB-3', titleMatch: 2, users: 5, status: 'unresolved' },
      { titleMatch: 2, users: 2 },
      { titleMatch: 2, users: 0 },
      { titleMatch: 0, users: 9, culprit: 'src/cart/total.ts' },
    ])
    // As it was typed, then every word in the title, then with the culprit.
    await setCulprit('Happened', 'carterror')
    await send('Typed', 1)
    await world.control.db
      .updateTable('issue')
      .set({ title: 'Typed: happened carterror' })
      .where('title', 'like', 'Typed:%')
      .execute()
    expect(await types('happened carterror')).toEqual(['Typed', 'CartError', 'OldCartError', 'Happened'])
  })

  test('a new issue that has no user does not hide an older one that has many', async () => {
    await send('CartError', 5)
    for (let number = 0; number < 20; number++) await digestEvents(world, [{ type: `CartError${number}a` }])
    expect((await types('carterror', 2))[0]).toBe('CartError')
  })

  test('an issue that was merged is found by the title of its target only, with the users of both', async () => {
    await send('CartError', 3)
    await send('PayError', 5)
    const [target, source] = [await issueOf('CartError'), await issueOf('PayError')]
    await mergeIssues(world.context, { projectId: world.web, targetIssueId: target.id, issueIds: [source.id] })
    expect(await search('payerror')).toEqual([])
    expect(await search('carterror')).toMatchObject([{ id: target.id, users: 5 }])
  })

  test('signs of patterns are letters', async () => {
    await send('CartError', 1)
    expect([await types('%'), await types('_'), await types('  ')]).toEqual([[], [], []])
  })
})
