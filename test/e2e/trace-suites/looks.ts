/** What the list of traces and the waterfall look like: on a phone, with the drawer, resized and zoomed. */

import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { longTest } from '../../long.ts'
import type { Hydrant } from '../../start-hydrant.ts'
import type { Recipient } from '../replay-capture.ts'
import { hexId, type SceneSpan, sendSpans } from '../trace-scenes.ts'

/** What the suites about traces share: a signed-in page of a Hydrant with the traces of `traces.test.ts`. */
export type TraceScene = {
  hydrant: Hydrant
  context: BrowserContext
  page: Page
  to: Recipient
  beganAt: number
  /** A request of the server, to build traces from. */
  request: SceneSpan
  /** The ids of a page load and of a request with forty equal queries. */
  pageLoad: string
  folded: string
  open(path: string, on?: Page): Promise<void>
  ready(): Promise<void>
  row(name: string | RegExp): Locator
}

const idle = '9'.repeat(32)
const visit = (request: SceneSpan): SceneSpan[] => [
  { ...request, name: 'GET /visit', durationMs: 700 },
  { ...request, id: 2, name: 'POST /click', startMs: 14_700, durationMs: 300 },
  { id: 3, parent: 2, segment: 2, name: 'SELECT 1', op: 'db.query', startMs: 14_750, durationMs: 100 },
]

export function testTraceLooks(scene: () => TraceScene): void {
  longTest('on a phone no column of the list and no view is clipped', async () => {
    const { context, open } = scene()
    const phone = await context.newPage()
    await phone.setViewportSize({ width: 390, height: 844 })
    await open('', phone)
    const region = phone.getByRole('region', { name: 'Traces' })
    expect(await region.evaluate(it => it.scrollWidth - it.clientWidth)).toBe(0)
    const views = phone.getByRole('navigation', { name: 'Views' })
    expect(await views.evaluate(it => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0)
    await phone.close()
  })

  longTest('an idle gap is drawn short, and a mark says how long it is', async () => {
    const { beganAt, hydrant, open, page, ready, request, row, to } = scene()
    await sendSpans(to, { traceId: idle, beganAt, spans: visit(request) })
    await hydrant.drained()
    await open(`/${idle}`)
    await ready()
    await page.getByText('14 s idle').waitFor()
    await page.getByText(/0 ms to 15 s of 15 s/).waitFor()
    const bar = (name: string) => row(name).locator('.b').boundingBox()
    const [first, second] = [await bar('GET /visit'), await bar('POST /click')]
    const gap = (second?.x ?? 0) - (first?.x ?? 0) - (first?.width ?? 0)
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan((first?.width ?? 0) / 4)
    expect((first?.width ?? 0) / (second?.width ?? 1)).toBeCloseTo(7 / 3, 0)
    expect(
      await row('SELECT 1')
        .locator('.cut')
        .evaluate(it => getComputedStyle(it).fontFamily),
    ).toContain('Mono')
  })

  longTest('the drawer follows J and K and leaves the waterfall visible at 1024 px', async () => {
    const { context, folded, open } = scene()
    const small = await context.newPage()
    await small.setViewportSize({ width: 1024, height: 768 })
    await open(`/${folded}#span-${hexId(1)}`, small)
    const drawer = small.getByRole('complementary', { name: 'Span' })
    await drawer.getByRole('heading', { name: 'GET /orders' }).waitFor()
    const [grid, side] = [await small.getByRole('treegrid').boundingBox(), await drawer.boundingBox()]
    expect((grid?.x ?? 0) + (grid?.width ?? 0)).toBeLessThanOrEqual((side?.x ?? 0) + 1)
    expect(grid?.width).toBeGreaterThan(500)
    await small.keyboard.press('j')
    await small.keyboard.press('ArrowRight')
    await small.keyboard.press('j')
    await drawer.getByRole('heading', { name: 'SELECT * FROM item' }).waitFor()
    await small.waitForURL(new RegExp(`#span-${hexId(10)}$`))
    await drawer.getByText('shop@1.0.0').first().waitFor()
    await small.keyboard.press('k')
    await small.keyboard.press('k')
    await drawer.getByRole('heading', { name: 'GET /orders' }).waitFor()
    await small.close()
  })

  longTest('the name column is resized by keys and by pointer', async () => {
    const { open, page, pageLoad, ready } = scene()
    await open(`/${pageLoad}`)
    await ready()
    const separator = page.getByRole('separator', { name: 'Width of the name column' })
    const width = async () => (await page.locator('.wfr .nm').first().boundingBox())?.width ?? 0
    const before = await width()
    await separator.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(width).toBe(before + 16)
    await page.keyboard.press('Home')
    await expect.poll(width).toBe(160)
    expect(await separator.getAttribute('aria-valuenow')).toBe('160')
    const box = await separator.boundingBox()
    if (!box) throw new Error('no separator')
    await page.mouse.move(box.x + 5, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + 205, box.y + 100, { steps: 4 })
    await page.mouse.up()
    await expect.poll(width).toBeGreaterThan(350)
  })

  longTest('a handle of the minimap is wide enough for a finger and moves its edge', async () => {
    const { open, page, pageLoad, ready } = scene()
    await open(`/${pageLoad}`)
    await ready()
    const handle = page.getByRole('slider', { name: 'Start of the time window' })
    const box = await handle.boundingBox()
    if (!box) throw new Error('no handle')
    expect(box.width).toBeGreaterThanOrEqual(24)
    const end = await page.getByRole('slider', { name: 'End of the time window' }).getAttribute('aria-valuenow')
    await page.mouse.move(box.x + 12, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 112, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor()
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    expect(await page.getByRole('slider', { name: 'End of the time window' }).getAttribute('aria-valuenow')).toBe(end)
  })

  longTest('the filter shows its focus once', async () => {
    const { open, page, pageLoad, ready } = scene()
    await open(`/${pageLoad}`)
    await ready()
    await page.keyboard.press('f')
    const field = page.getByRole('searchbox', { name: 'Filter spans' })
    expect(await field.evaluate(it => [it.matches(':focus'), getComputedStyle(it).boxShadow])).toEqual([true, 'none'])
  })
}
