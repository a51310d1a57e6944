/** Incidents that members meet in a browser. The scenes share it and a Hydrant, which the last one replaces with a new build. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from '../open-browser.ts'
import { type CutProxy, startCutProxy } from '../start-cut-proxy.ts'
import { type Hydrant, startHydrant } from '../start-hydrant.ts'
import { playExports } from './browser-scenes/exports.ts'
import { playOffline } from './browser-scenes/offline.ts'
import { type BrowserScene, openBrowserScene } from './browser-scenes/open-scene.ts'
import { playNewBuild, playRestart } from './browser-scenes/restart.ts'
import { isFullStorm } from './ledger.ts'
import { playScene } from './scene.ts'

let hydrant: Hydrant
let proxy: CutProxy
let browser: Browser
let scene: BrowserScene

beforeAll(async () => {
  hydrant = await startHydrant()
  proxy = await startCutProxy(hydrant.url)
  browser = await openBrowser()
  scene = await openBrowserScene(hydrant, proxy, browser)
})
afterAll(async () => {
  await browser?.close()
  await proxy?.stop()
  await hydrant?.stop()
})

playScene('every export is read to its last row during ingest', () => playExports(scene))
playScene('a browser without a network', () => playOffline(scene))
playScene('a restart while forms are open', () => playRestart(scene))
if (isFullStorm) playScene('a new build while forms are open', () => playNewBuild(scene))
