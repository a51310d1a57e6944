/** A browser test that fails leaves files in `test-failures/`. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { failuresFolder } from '../keep-failures.ts'
import { longTest } from '../long.ts'

const root = join(import.meta.dirname, '../..')

const failing = `import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../open-browser.ts'
let browser, page
beforeAll(async () => {
  browser = await openBrowser()
  page = await browser.newPage()
})
afterAll(() => browser.close())
test('fails / here', async () => {
  await page.setContent('<h1>Checkout</h1><img src="http://127.0.0.1:9/cup.png"><script>console.warn("out of cups")</script>')
  await page.waitForLoadState()
  expect(await page.title()).toBe('Another page')
})
test('passes', async () => expect(await page.locator('h1').count()).toBe(1))
`

longTest('a failed test leaves pictures, the console and a trace, and one that passes leaves nothing', async () => {
  const folder = join(root, 'test/.tmp/kept')
  const kept = join(failuresFolder, 'on-purpose')
  mkdirSync(folder, { recursive: true })
  rmSync(kept, { recursive: true, force: true })
  try {
    writeFileSync(join(folder, 'on-purpose.test.ts'), failing)
    const setup = join(root, 'test/keep-failures-setup.ts')
    const settings = { test: { include: ['test/.tmp/kept/*.test.ts'], setupFiles: [setup], environment: 'node' } }
    writeFileSync(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(settings)}`)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--root', root, '--config', join(folder, 'vitest.config.ts')]
    const run = promisify(execFile)(process.execPath, args, { cwd: root })
    await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('test-failures/on-purpose/fails-here') })
    expect(readdirSync(kept)).toEqual(['fails-here'])
    const read = (name: string) => readFileSync(join(kept, 'fails-here', name), 'utf8')
    expect(read('1-page-1.txt')).toContain('Checkout')
    expect(read('1-console.txt')).toMatch(/warning: out of cups[\s\S]*GET http:\/\/127\.0\.0\.1:9\/cup\.png failed/)
    expect(statSync(join(kept, 'fails-here/1-page-1.png')).size).toBeGreaterThan(1_000)
    expect(statSync(join(kept, 'fails-here/1-trace.zip')).size).toBeGreaterThan(1_000)
  } finally {
    for (const made of [folder, kept]) rmSync(made, { recursive: true, force: true })
  }
})
