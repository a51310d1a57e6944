/**
 * When a test fails, what its pages showed stays in `test-failures/`: a picture and the outline of each page, the lines of its console with the
 * requests that failed, and a trace that `npx playwright-core show-trace` opens. A page that the test closed has no picture.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, type RunnerTestFile } from 'vitest'
import { isPatient } from './wait-limits.ts'

export const failuresFolder: string = join(import.meta.dirname, '../test-failures')
/** `npm test` and build servers keep the steps alone: the page at each step costs a tenth more processor time. */
const traceOptions = { snapshots: !isPatient } as const

type Watched = { context: BrowserContext; lines: string[] }
const watched = new Set<Watched>()
let file: RunnerTestFile | undefined

/** Benchmarks and pictures open browsers too, without tests. */
export const keeper = process.env.VITEST === undefined ? null : { watch, forget, onEndOfFile }

/** For each test file. */
export function keepFailures(): void {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest refuses another first parameter.
  beforeAll(({}, suite) => {
    file = suite.file
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepFailure(task.file.filepath, task.name)
  })
}

/** Vitest has no hook that runs after a hook has failed. */
async function onEndOfFile(): Promise<void> {
  if (file?.result?.state === 'fail' && file.result.errors?.length) await keepFailure(file.filepath, 'hooks')
}

/** From the context's first page until it is closed or forgotten. */
async function watch(context: BrowserContext): Promise<void> {
  const one: Watched = { context, lines: [] }
  const note = (page: Page | null, text: string) => one.lines.push(`${page?.url() ?? ''}\n  ${text}`)
  context.on('console', message => note(message.page(), `${message.type()}: ${message.text()}`))
  context.on('weberror', error => note(error.page(), `uncaught: ${error.error().stack ?? error.error().message}`))
  context.on('requestfailed', request =>
    note(null, `${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`),
  )
  context.on('response', response => {
    if (response.status() >= 400) note(null, `${response.request().method()} ${response.url()}: ${response.status()}`)
  })
  context.on('close', () => watched.delete(one))
  watched.add(one)
  await context.tracing.start(traceOptions)
}

async function forget(context: BrowserContext): Promise<void> {
  for (const one of watched) if (one.context === context) watched.delete(one)
  await context.tracing.stop()
}

async function keepFailure(path: string, name: string): Promise<void> {
  if (watched.size === 0) return
  const folder = join(
    failuresFolder,
    basename(path, '.test.ts'),
    name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100),
  )
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  let number = 0
  for (const { context, lines } of watched) {
    number += 1
    const at = (rest: string) => join(folder, `${number}-${rest}`)
    writeFileSync(at('console.txt'), `${lines.join('\n')}\n`)
    for (const [index, page] of context.pages().entries()) await keepPage(page, at(`page-${index + 1}`))
    await context.tracing.stop({ path: at('trace.zip') }).catch(() => undefined)
    await context.tracing.start(traceOptions).catch(() => undefined)
  }
  process.stderr.write(`See ${relative(process.cwd(), folder)} for the pages of "${name}".\n`)
}

/** A page that hangs has no picture. */
async function keepPage(page: Page, path: string): Promise<void> {
  const timeout = 5_000
  await page.screenshot({ path: `${path}.png`, fullPage: true, timeout }).catch(() => undefined)
  const text = await page
    .locator('body')
    .ariaSnapshot({ timeout })
    .catch(() => '')
  writeFileSync(`${path}.txt`, `${page.url()}\n\n${text}\n`)
}
