/** Every change of issues in every place, under every kind of host name: Next compares the host of a server action with its origin. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../start-hydrant.ts'
import { startProxy } from '../start-proxy.ts'
import { signIn } from './ada.ts'
import { hydrated } from './hydrated.ts'
import { listOf, openTriageScene, rowIds, type TriageScene, typeOf } from './triage-scene.ts'

let scene: TriageScene
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  scene = await openTriageScene()
  proxy = await startProxy(scene.hydrant.url)
  for (let index = 0; index < 6; index++) await scene.send(typeOf(index))
  await scene.hydrant.drained()
})
afterAll(async () => {
  await proxy?.stop()
  await scene?.stop()
})

type Change = { keys: string[]; says: RegExp }
/** By key, from a focused row or in the peek or on the page. The menus open with focus on their first item. */
const changes: Record<string, Change> = {
  resolve: { keys: ['e'], says: /issue resolved\./i },
  assign: { keys: ['a', 'Enter'], says: /1 issue assigned\.|Assignee changed\./ },
  archive: { keys: ['h', 'Enter'], says: /issue archived\./i },
  priority: { keys: ['p', 'Enter'], says: /Priority set to high|Priority changed\./ },
}

type Place = { open: (page: Page) => Promise<void>; changes: Record<string, Change> }
const confirm = ['Tab', 'Enter']
const list = async (page: Page): Promise<void> => {
  await until(async () => (await rowIds(page)).length === 6)
  await page.keyboard.press('j')
}
/** From the third row up, so that every row has a next one. */
const places: Record<string, Place> = {
  list: { open: list, changes: { ...changes, delete: { keys: [], says: /1 issue deleted\./ } } },
  bulk: {
    async open(page) {
      await list(page)
      for (const key of ['x', 'j', 'Shift+X']) await page.keyboard.press(key)
    },
    changes: {
      resolve: { keys: ['e'], says: /2 issues resolved\./ },
      assign: { keys: ['a', 'Enter'], says: /2 issues assigned\./ },
      archive: { keys: ['h', 'Enter'], says: /2 issues archived\./ },
      priority: { keys: ['p', 'Enter'], says: /Priority set to high on 2 issues\./ },
      merge: { keys: ['m', ...confirm], says: /2 issues merged\./ },
      delete: { keys: [], says: /2 issues deleted\./ },
    },
  },
  peek: {
    async open(page) {
      await list(page)
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Next issue' }).focus()
    },
    changes: {
      ...changes,
      merge: { keys: ['m', 'W', 'E', 'B', '-', '1', 'Enter'], says: /Issues merged\./ },
      delete: { keys: [], says: /1 issue deleted\./ },
    },
  },
}

const hosts = {
  localhost: () => scene.hydrant.url.replace('127.0.0.1', 'localhost'),
  'another host name': () => scene.hydrant.url.replace('127.0.0.1', 'hydrant.localhost'),
  'a proxy': () => `http://proxy.localhost:${proxy.port}`,
}

/** From the palette, because a deletion has no key. */
async function openDeletion(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Page, project, issue or action' }).fill('delete')
  await page
    .getByRole('option', { name: /Delete( |$)(?!and)/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: /^Delete/ }).waitFor()
}

async function run(page: Page, name: string, { keys, says }: Change): Promise<void> {
  if (name === 'delete') await openDeletion(page)
  for (const key of name === 'delete' ? confirm : keys) await page.keyboard.press(key)
  await page.getByRole('status').filter({ hasText: says }).waitFor()
}

async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').filter({ hasText: 'Undone.' }).waitFor()
}

test.each(Object.entries(hosts))(
  'every change works in list, selection and peek on %s, and is undone',
  async (_name, urlOf) => {
    const url = urlOf()
    const context = await scene.browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await signIn(page, url)
    for (const [where, { open, changes: own }] of Object.entries(places))
      for (const [name, change] of Object.entries(own)) {
        await page.goto(url + listOf('is:unresolved'))
        await hydrated(page)
        await open(page)
        await run(page, name, change)
        await undo(page)
        expect(await page.getByText('This page stopped working').count(), `${name} in ${where}`).toBe(0)
      }
    await context.close()
  },
)

test.each(Object.entries(hosts))('every change works on the issue page on %s, and is undone', async (_name, urlOf) => {
  const url = urlOf()
  const context = await scene.browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, url)
  const own = { ...changes, merge: places.peek?.changes.merge, delete: { keys: [], says: /Issue deleted\./ } }
  for (const [name, change] of Object.entries(own)) {
    await page.goto(`${url}/acme/issues/WEB-2`)
    await hydrated(page)
    if (change) await run(page, name, change)
    await undo(page)
    expect(await page.getByText('This page stopped working').count(), name).toBe(0)
  }
  await context.close()
})

test('no page threw', () => {
  expect(scene.faults).toEqual([])
})
