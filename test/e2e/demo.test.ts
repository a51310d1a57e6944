/** `hydrant demo` as a new user runs it, up to the first page, and what is left of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../long.ts'
import { openBrowser } from '../open-browser.ts'
import { freePort, root, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'hydrant-demos-'))
const startLimitMs = 120_000
let browser: Browser
let taken: Server
let port = 0
const started: ChildProcess[] = []

beforeAll(async () => {
  browser = await openBrowser()
  port = await freePort()
  taken = createServer()
  await new Promise<void>(resolve => taken.listen(port, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL') // does nothing to those that have ended
  await browser?.close()
  taken?.close()
  rmSync(folder, { recursive: true, force: true })
})

type Demo = { child: ChildProcess; output(): string }

function startDemo(): Demo {
  const program = join(root, 'src/cli/hydrant.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'demo'], {
    cwd: root,
    // Settings that would lead it to other stores.
    env: { ...process.env, TMPDIR: folder, PORT: String(port), DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
  return { child, output: () => words }
}

const linkIn = (words: string): string | undefined => /http\S+\/login\/link\/\S+/.exec(words)?.[0]
const demoFolders = () => readdirSync(folder).filter(name => name.startsWith('hydrant-demo-'))

longTest(
  'a demo takes a free port, signs in once, shows a hydration diff, and leaves nothing behind',
  async () => {
    const { child, output } = startDemo()
    await until(() => {
      if (child.exitCode !== null) throw new Error(output())
      return linkIn(output()) !== undefined
    }, waitAtLeast(startLimitMs))
    const link = linkIn(output()) ?? ''
    expect(new URL(link).port).not.toBe(String(port))
    expect(demoFolders()).toHaveLength(1)
    const page = await browser.newPage()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/demo/**')
    const { origin } = new URL(link)
    await page.goto(`${origin}/demo/issues?project=shop`)
    const issue = await page
      .getByRole('link', { name: /HydrationError/ })
      .first()
      .getAttribute('href')
    await page.goto(`${origin}${issue}`) // a click would open the preview
    await page.getByText('Server sent').waitFor()
    await page.close()
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(demoFolders()).toEqual([])
  },
  waitAtLeast(startLimitMs * 2),
)

test(
  'a demo that is stopped while it starts leaves nothing behind',
  async () => {
    const { child, output } = startDemo()
    await until(() => output().includes('Starting'), waitAtLeast(startLimitMs))
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(demoFolders()).toEqual([])
  },
  waitAtLeast(startLimitMs),
)
