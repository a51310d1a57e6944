import type { Page } from 'playwright-core'

/** What a person does, and how to tell that the page shows the result. */
export type Interaction = {
  /** Real input: a key or a click. */
  act: (page: Page) => Promise<void>
  /** Runs in the page at each frame: the time at which the new content is there, false before. */
  done: (wanted: string) => number | false
  /** The same for everything that belongs to it, if parts arrive later. */
  whole?: (wanted: string) => number | false
  wanted: string
}

export type TimedInteraction = {
  /** From the input event until the frame that shows the new content. */
  ms: number
  wholeMs: number
  /** How far content moved by itself, as a layout shift score. */
  shift: number
}

type Timing = { input: number; shift: number }

/**
 * Measured inside the page: from the time stamp of the input event until the first animation frame in which the new content is in
 * the document. Playwright's own round trips are not part of it.
 */
export async function timeInteraction(
  page: Page,
  { act, done, whole, wanted }: Interaction,
): Promise<TimedInteraction> {
  await page.evaluate(() => {
    const timing: Timing = { input: 0, shift: 0 }
    Object.assign(window, { timing })
    const note = (event: Event) => {
      timing.input ||= event.timeStamp
    }
    for (const type of ['keydown', 'click']) addEventListener(type, note, { capture: true, once: true })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) timing.shift += value
      }
    }).observe({ type: 'layout-shift' })
  })
  const waits = [done, ...(whole ? [whole] : [])].map(each =>
    page.waitForFunction(each, wanted, { polling: 'raf', timeout: 30_000 }),
  )
  await act(page)
  const [at = 0, wholeAt = at] = await Promise.all(waits.map(async wait => (await (await wait).jsonValue()) as number))
  const { input, shift } = await page.evaluate(() => (window as unknown as { timing: Timing }).timing)
  return { ms: at - input, wholeMs: wholeAt - input, shift }
}
