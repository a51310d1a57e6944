/** The settings of a project in a real browser: rename, keys, delete and restore, also without JavaScript. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { expectNoBarriersWhenLong } from './find-barriers.ts'
import { hydrated } from './hydrated.ts'
import { probeKey } from './knows-key.ts'
import { postEnvelope } from './post-envelope.ts'
import { postEvent } from './post-event.ts'
import { queryTelemetry } from './query-telemetry.ts'

let hydrant: Hydrant
let browser: Browser
let context: BrowserContext
let page: Page
let dsn: string

beforeAll(async () => {
  hydrant = await borrowHydrant()
  dsn = (await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).dsn
  await postEnvelope(dsn, { message: 'first\nsecond line', level: 'error' })
  await hydrant.drained()
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await signIn(page, hydrant.url)
})

afterAll(async () => {
  await browser?.close()
  await hydrant?.stop()
})

const at = (path: string) => `${hydrant.url}${path}`

longTest('the list leads to the settings of a project: general, keys, filters, danger zone', async () => {
  await page.goto(at('/acme/projects'))
  await page.getByRole('link', { name: 'Settings of web' }).click()
  await page.waitForURL('**/acme/projects/web/settings')
  for (const name of ['General', 'Keys', 'Filters', 'Danger zone'])
    await page.getByRole('heading', { name, exact: true }).waitFor()
})

test('a renamed project keeps its old addresses and issue ids', async () => {
  await page.goto(at('/acme/projects/web/settings'))
  await hydrated(page)
  await page.getByLabel('Slug, used in addresses and issue IDs').fill('Not a slug!')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'lowercase letters' }).first().waitFor()
  await page.getByLabel('Name').fill('Web shop')
  await page.getByLabel('Slug, used in addresses and issue IDs').fill('shop')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/acme/projects/shop/settings')
  const read = async (path: string) => {
    const response = await page.request.get(at(path))
    return { path: new URL(response.url()).pathname, text: await response.text() }
  }
  for (const rest of ['', '/settings', '/filters'])
    expect((await read(`/acme/projects/web${rest}`)).path).toBe(`/acme/projects/shop${rest}`)
  expect((await read('/acme/issues/WEB-1')).text).toContain('SHOP-1')
  expect((await read('/acme/issues?project=web')).text).toMatch(/<a [^>]*>[^<]*first/)
  expect(await probeKey(dsn)).toBe(200)
})

test('a project is deleted by typing its slug: events are refused with an outcome until it is restored', async () => {
  const { project } = await hydrant.init('--org', 'acme', '--project', 'shop')
  await page.goto(at('/acme/projects/shop/settings'))
  await hydrated(page)
  await page.getByLabel('Type shop to confirm').fill('web')
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.getByRole('alert').filter({ hasText: 'Type the slug' }).first().waitFor()
  await page.getByLabel('Type shop to confirm').fill('shop')
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.waitForURL('**/acme/projects')
  const deleted = page.getByRole('region', { name: 'Deleted projects' })
  await deleted.getByRole('cell', { name: 'shop', exact: true }).waitFor()
  for (const path of ['/acme/projects/shop', '/acme/issues/SHOP-1', '/acme/issues?project=shop'])
    expect((await page.request.get(at(path))).status(), path).toBe(404)
  await until(async () => (await postEvent(dsn, 'd'.repeat(32))) === 403)
  const query = `SELECT sum(quantity) AS n FROM outcomes WHERE project_id = ${project.id} AND reason = 'project_deleted' LIMIT 1`
  const count = async () =>
    (await queryTelemetry(hydrant.dataDir, query, z.object({ n: z.coerce.number() })))[0]?.n ?? 0
  await until(async () => (await count()) > 0)
  await expectNoBarriersWhenLong(page)
  await deleted.getByRole('button', { name: 'Restore shop' }).click()
  await page.getByText('Project shop restored.').waitFor()
  await page.getByRole('link', { name: 'Settings of shop' }).waitFor()
  expect((await page.request.get(at('/acme/issues/SHOP-1'))).status()).toBe(200)
  await until(async () => (await postEvent(dsn, 'e'.repeat(32))) === 200)
})

longTest('rename, delete and restore work without JavaScript', async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const still = await plain.newPage()
  await still.goto(at('/acme/projects/shop/settings'))
  await still.getByLabel('Name').fill('Plain shop')
  await still.getByRole('button', { name: 'Save', exact: true }).click()
  await still.getByText('Project saved.').waitFor()
  await still.getByLabel('Type shop to confirm').fill('shop')
  await still.getByRole('button', { name: 'Delete project' }).click()
  await still.getByRole('button', { name: 'Restore shop' }).click()
  await still.getByText('Project shop restored.').waitFor()
  await plain.close()
})

test('Hydrant’s own project can’t be deleted, and has no form for it', async () => {
  await page.goto(at('/acme/projects/hydrant/settings'))
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Delete project' }).count()).toBe(0)
})
