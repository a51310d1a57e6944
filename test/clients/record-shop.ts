/**
 * Records the example shop for `hydrant seed`: real SDKs and a real browser, whose requests end up in one compressed file.
 *   node test/clients/record-shop.ts [visit …]
 * With names it records only these visits, prints what they sent and writes nothing.
 */
import { realpathSync, writeFileSync } from 'node:fs'
import { cpus, homedir, hostname, release, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { type CapturedVisit, type CaptureFile, capturePath, recordedReleases } from '#cli/seed/captures/capture-file.ts'
import { openBrowser } from '../open-browser.ts'
import { renameBuild } from '../rename-build.ts'
import { freePort, root } from '../start-hydrant.ts'
import { copyShop } from './copy-shop.ts'
import { prepareShop, shopDir } from './prepare-shop.ts'
import { type ShopVisit, shopVisits } from './shop-visits.ts'
import { type Recorder, startRecorder } from './start-recorder.ts'
import { startShop } from './start-shop.ts'
import { listIds, unpackEnvelope, withLargestProfiles, withoutMissingProfiles } from './unpack-envelope.ts'

/** Server SDKs keep spans and logs for five seconds. */
const quietMs = 7_000
const viewport = { width: 1280, height: 800 }

const wanted = process.argv.slice(2)
const copy = copyShop(await prepareShop(line => process.stdout.write(`${line}\n`)))
const recorder = await startRecorder()
const browser = await openBrowser({ isFull: true })
const port = await freePort()

const start = (version: string) =>
  startShop({
    shopDir: copy.shopDir,
    hydrantUrl: recorder.url,
    dsn: recorder.dsn,
    port,
    env: { SHOP_REPLAY_SAMPLE_RATE: '1', SHOP_ENVIRONMENT: 'production', SHOP_RELEASE: version },
  })
let shop = await start(recordedReleases[0])

try {
  await recorder.quiet(quietMs)
  recorder.take() // what the server sends at its start
  const visits: CapturedVisit[] = []
  for (const visit of shopVisits) {
    if (wanted.length > 0 && !wanted.includes(visit.name)) continue
    visits.push(await record(visit, { browser, recorder }))
  }
  const file = normalize({ ids: [...listIds(visits.map(({ requests }) => requests))], visits })
  for (const visit of file.visits) describe(visit)
  if (wanted.length === 0) write(file)
} finally {
  await browser.close()
  await shop.stop()
  await recorder.close()
  copy.remove()
}
process.exit() // the browser lives as long as the process

async function record(
  { name, walk }: ShopVisit,
  { browser, recorder }: { browser: Browser; recorder: Recorder },
): Promise<CapturedVisit> {
  const userAgent = (await userAgentOf(browser)).replace('HeadlessChrome', 'Chrome')
  const context = await browser.newContext({ viewport, userAgent, locale: 'en-US', timezoneId: 'UTC' })
  const beganAt = Date.now()
  try {
    await walk(context, { url: shop.url, deploy })
    await recorder.quiet(quietMs)
  } finally {
    await context.close()
  }
  const requests = recorder.take().flatMap(request => unpackEnvelope(request) ?? [])
  return { name, beganAt, endedAt: Date.now(), requests: withoutMissingProfiles(withLargestProfiles(requests)) }
}

async function userAgentOf(browser: Browser): Promise<string> {
  const page = await browser.newPage()
  try {
    return await page.evaluate(() => navigator.userAgent)
  } finally {
    await page.close()
  }
}

async function deploy(): Promise<void> {
  await shop.stop()
  renameBuild(join(copy.shopDir, '.next'))
  shop = await start(recordedReleases[1])
}

/** The recording must not tell where it was made. */
function normalize(file: CaptureFile): CaptureFile {
  const modules = realpathSync(join(shopDir, 'node_modules'))
  const folders = [copy.shopDir, realpathSync(copy.shopDir), shopDir, realpathSync(shopDir), dirname(modules), root]
  const names: (readonly [string, string])[] = [
    [`http://127.0.0.1:${port}`, 'https://shop.example.com'],
    [`127.0.0.1:${port}`, 'shop.example.com'],
    [recorder.url, 'https://hydrant.example.com'],
    [new URL(recorder.url).host, 'hydrant.example.com'],
    ...folders.map(folder => [folder, '/app'] as const),
    [`"${hostname()}"`, '"web-1"'], // alone in its text: a short name may be part of any word
    [`${basename(tmpdir())}.${basename(copy.shopDir)}.`, 'app.'], // in names of modules
    ['::ffff:127.0.0.1', '203.0.113.7'],
    ['127.0.0.1', '203.0.113.7'],
    ['HeadlessChrome', 'Chrome'],
    ['"sentry.is_localhost":{"value":true', '"sentry.is_localhost":{"value":false'],
    [release(), '6.12.0'],
    [cpus()[0]?.model ?? 'no model', 'Virtual CPU'],
  ]
  const ports = new RegExp(`(?<![\\d.])(?:${port}|${new URL(recorder.url).port})(?![\\d.])`, 'g')
  const replace = (text: string): string =>
    names.reduce((before, [from, to]) => before.replaceAll(from, to), text).replaceAll(ports, '443')
  // Base64 may contain any short word by chance.
  const text = JSON.stringify(file)
    .split(/("base64":"[^"]*")/)
    .map((part, index) => (index % 2 === 1 ? part : replace(part)))
    .join('')
  for (const word of [homedir(), tmpdir(), root])
    if (word.length > 3 && text.includes(word)) throw new Error(`The recording holds ${word}: ${around(text, word)}`)
  return JSON.parse(text) as CaptureFile
}

const around = (text: string, word: string): string => text.slice(Math.max(0, text.indexOf(word) - 100)).slice(0, 250)

function describe({ name, requests }: CapturedVisit): void {
  const counts = new Map<string, number>()
  for (const { items } of requests)
    for (const { headers, payload } of items) {
      const key = String(headers.type)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      const error = payload.kind === 'json' && key === 'event' ? titleOf(payload.value) : ''
      if (error !== '') process.stdout.write(`  ${error}\n`)
    }
  const list = [...counts].map(([type, count]) => `${count} ${type}`).join(', ')
  process.stdout.write(`${name}: ${requests.length} requests, ${list}\n`)
}

type Exceptions = { exception?: { values?: { type?: string; value?: string }[] } }
function titleOf(event: unknown): string {
  const error = (event as Exceptions).exception?.values?.at(-1)
  return error === undefined ? '' : `${error.type}: ${error.value}`.slice(0, 120)
}

function write(file: CaptureFile): void {
  const text = Buffer.from(JSON.stringify(file))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  const packed = brotliCompressSync(text, { params })
  writeFileSync(capturePath, packed)
  process.stdout.write(`${capturePath}: ${packed.length} of ${text.length} bytes\n`)
}
