import { openBrowser } from '../../test/open-browser.ts'
import { percentile } from './percentile.ts'

const frames = 180

/** Milliseconds of script until the page rests, and of a frame while it is scrolled steadily, p95. Signs in as the bench's owner. */
export async function measureScrolling(url: string, path: string): Promise<{ scriptMs: number; frameMs: number }> {
  const browser = await openBrowser({ isFull: true })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${url}/login`)
    await page.fill('input[name=email]', 'bench@example.com')
    await page.fill('input[name=password]', 'correct horse battery')
    await page.click('form button[type=submit]')
    await page.waitForURL(/\/acme/)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(url + path)
    await page.locator('.wfgrid .wfr').first().waitFor()
    await page.waitForTimeout(1_000)
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
    const lengths = await page.evaluate(scrollSteadily, frames)
    return { scriptMs: seconds * 1e3, frameMs: percentile(lengths, 0.95) }
  } finally {
    await browser.close()
  }
}

/** Runs in the page: a hundred pixels a frame, and how long each frame took. */
async function scrollSteadily(count: number): Promise<number[]> {
  const lengths: number[] = []
  let before = performance.now()
  for (let frame = 0; frame < count; frame++) {
    window.scrollBy(0, 100)
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    lengths.push(now - before)
    before = now
  }
  return lengths
}
