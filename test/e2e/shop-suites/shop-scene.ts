import type { Browser, Page } from 'playwright-core'
import type { ShopCopy } from '../../clients/copy-shop.ts'
import type { RunningShop } from '../../clients/start-shop.ts'
import type { Hydrant } from '../../start-hydrant.ts'

/** Shared by the suites: the example shop, which reports to a project of Ada's organization acme. */
export type ShopScene = {
  hydrant: Hydrant
  copy: ShopCopy
  shop: RunningShop
  browser: Browser
  projectId: number
  /** Where Ada is signed in. */
  reader: Page
}
