/** The example shop in Chromium, and what Hydrant shows of it: its routes, then its failures, the last of which breaks it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { copyShop, type ShopCopy } from '../clients/copy-shop.ts'
import { prepareShop } from '../clients/prepare-shop.ts'
import { type RunningShop, startShop } from '../clients/start-shop.ts'
import { isLong } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import type { Hydrant } from '../start-hydrant.ts'
import { asAda, signIn } from './ada.ts'
import { testFailures } from './shop-suites/failures.ts'
import { testRoutes } from './shop-suites/routes.ts'

let hydrant: Hydrant
let copy: ShopCopy
let shop: RunningShop
let browser: Browser
let projectId: number
let reader: Page

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const { dsn, project } = await hydrant.init('--org', 'acme', '--project', 'shop', ...asAda)
  projectId = project.id
  copy = copyShop(await prepareShop())
  shop = await startShop({ shopDir: copy.shopDir, hydrantUrl: hydrant.url, dsn })
  browser = await openBrowser()
  reader = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signIn(reader, hydrant.url)
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
  copy?.remove()
  await hydrant?.stop()
})

const scene = () => ({ hydrant, copy, shop, browser, projectId, reader })

// Its recorded requests are in sdk-suites/captures.ts, and a build of it takes a minute of processor time.
describe.runIf(isLong)('the example shop', () => {
  testRoutes(scene)
  testFailures(scene)
})
