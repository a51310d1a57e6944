/** Every change of issues in every place, under every kind of host name: Next compares the host of a server action with its origin. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { longTest } from '../long.ts'
import { until } from '../start-hydrant.ts'
import { startProxy } from '../start-proxy.ts'
import { signInByForm } from './ada.ts'
import { hydrated } from './hydrated.ts'
import { listOf, openTriageScene, rowIds, settled, type TriageScene, typeOf } from './triage-scene.ts'

let scene: TriageScene
const issues = 6
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  scene = await openTriageScene()
  proxy = await startProxy(scene.hydrant.url)
  for (let index = 0; index < issues; index++) await scene.send(typeOf(index))
  await scene.hydrant.drained()
})
afterAll(async () => {
  await proxy?.stop()
  await scene?.stop()
})

const low = ['ArrowDown', 'ArrowDown', 'Enter']
type Change = { keys: string[]; says: RegExp }
/** By key, from a focused row or in the peek or on the page. The menus open with focus on their first item. */
const changes: Record<string, Change> = {
  resolve: { keys: ['e'], says: /issue resolved\./i },
  assign: { keys: ['a', 'Enter'], says: /1 issue assigned\.|Assignee changed\./ },
  archive: { keys: ['h', 'Enter'], says: /issue archived\./i },
  priority: { keys: ['p', ...low], says: /Priority set to low|Priority changed\./ },
}

type Place = { aim: (page: Page) => Promise<void>; changes: Record<string, Change> }
const confirm = ['Tab', 'Enter']

/** Focuses the first row, when all rows are back. */
async function aimAtRow(page: Page): Promise<void> {
  await settled(page)
  await until(async () => (await rowIds(page)).length === issues)
  await page.getByRole('list', { name: 'Issues' }).getByRole('link').first().focus()
}

const places: Record<string, Place> = {
  list: { aim: aimAtRow, changes: { ...changes, delete: { keys: [], says: /1 issue deleted\./ } } },
  bulk: {
    async aim(page) {
      await aimAtRow(page)
      for (const key of ['x', 'j', 'Shift+X']) await page.keyboard.press(key)
    },
    changes: {
      resolve: { keys: ['e'], says: /2 issues resolved\./ },
      assign: { keys: ['a', 'Enter'], says: /2 issues assigned\./ },
      archive: { keys: ['h', 'Enter'], says: /2 issues archived\./ },
      priority: { keys: ['p', ...low], says: /Priority set to low on 2 issues\./ },
      merge: { keys: ['m', ...confirm], says: /2 issues merged\./ },
      delete: { keys: [], says: /2 issues deleted\./ },
    },
  },
  peek: {
    async aim(page) {
      await aimAtRow(page)
      const [first] = await rowIds(page)
      const peek = page.getByRole('complementary', { name: /^Issue / })
      if ((await peek.count()) === 0) await page.keyboard.press(' ')
      await peek.locator(`a:is([href$="/${first}"], [href*="/${first}?"])`, { hasText: 'Open' }).waitFor()
      await peek.getByRole('button', { name: 'Next issue' }).focus()
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
  await page.getByRole('status').filter({ hasText: 'Undone: ' }).waitFor()
}

longTest.each(Object.entries(hosts))(
  'on %s, changes work in list, selection, peek and page, and are undone',
  async (_host, urlOf) => {
    const url = urlOf()
    const context = await scene.browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await signInByForm(page, url)
    const isWell = async (what: string) =>
      expect(await page.getByText('This page stopped working').count(), what).toBe(0)
    await page.goto(url + listOf('is:unresolved'))
    await hydrated(page)
    for (const [where, { aim, changes: own }] of Object.entries(places))
      for (const [name, change] of Object.entries(own)) {
        await aim(page)
        await run(page, name, change)
        await undo(page)
        await isWell(`${name} in ${where}`)
      }
    await page.goto(`${url}/acme/issues/WEB-2`)
    await hydrated(page)
    const onPage = { ...changes, merge: places.peek?.changes.merge, delete: { keys: [], says: /Issue deleted\./ } }
    for (const [name, change] of Object.entries(onPage)) {
      if (change) await run(page, name, change)
      await undo(page)
      await isWell(`${name} on the page`)
    }
    await context.close()
  },
)

longTest('no page threw', () => {
  expect(scene.faults).toEqual([])
})
