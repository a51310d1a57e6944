/** A framework is one file, its recorded requests and a row in the docs: nothing else names it. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { frameworks } from '#react/frameworks/list.ts'
import { frameworks as documented } from './framework-matrix.ts'

const root = join(import.meta.dirname, '..')

/** Folders that decide what an item means. */
const deciding = 'src/{react,grouping,digest,domain,search,store}/**/*.ts'
/** Where a name stands for something else. */
const allowed: Readonly<Record<string, string>> = {
  'src/digest/attributes/facts.ts': 'the attributes of spans as they are named on the wire',
  'src/digest/items/event/process-event.ts': 'headers of prefetches as they are named on the wire',
  'src/digest/items/transaction/process-transaction.ts': 'headers of prefetches as they are named on the wire',
  'src/domain/projects/create-project.ts': 'the platform of Hydrant’s own pages',
  'src/react/server-digest.ts': 'the context in which an SDK keeps the digest of React',
}
const names =
  /\bnext-(?:action|app|pages|router)|nextjs|_next\/|react-?router|tanstack|\bremix\b|\bastro\b|\bwaku\b|\bnitro\b/i

test('no code outside of react/frameworks checks the name of a framework', () => {
  const files = globSync(deciding, { cwd: root }).filter(
    path => !/\.test\.ts$|react\/frameworks\/|grouping\/v[123]\/|react\/deploy-skew\.ts$|migrations\//.test(path),
  )
  expect(files.length).toBeGreaterThan(300)
  const found = files.filter(path =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      // Texts for users and comments may name one as an example.
      .some(line =>
        names.test(
          line.replace(/^\s*(?:\/\/|\/?\*).*|\/\/ .*|\/\*.*?\*\//, '').replace(/(['"`])[^'"`\n]* [^'"`\n]*\1/g, ''),
        ),
      ),
  )
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted())
})

test('each row of a table has its reason in a sentence', () => {
  const reasons: string[] = []
  const missing: string[] = []
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null || value instanceof RegExp || value instanceof Set) return
    for (const [key, each] of Object.entries(value)) {
      if (
        [
          'routeSegments',
          'spanNames',
          'controlFlow',
          'redacted',
          'missingFiles',
          'echoed',
          'libraryFiles',
          'unmappedFiles',
          'dataRequests',
        ].includes(key)
      )
        for (const row of each as { why?: string }[])
          if (row.why === undefined) missing.push(`${place} ${key}`)
          else reasons.push(row.why)
      if (key === 'unfetched') reasons.push((each as { why: string }).why)
      visit(each, `${place} ${key}`)
    }
  }
  for (const framework of frameworks) visit(framework, framework.id)
  expect(missing).toEqual([])
  expect(reasons.length).toBeGreaterThan(25)
  expect(reasons.filter(why => !/^(?:[A-Z]|\w+\(\)).{15,}\.$/s.test(why))).toEqual([])
})

test('every framework with an SDK is in the docs', () => {
  const shown = documented.join(' ')
  expect(
    frameworks.filter(({ name, sdks }) => sdks.length > 0 && !shown.includes(name)).map(({ name }) => name),
  ).toEqual([])
})

const adapter = `
export const dummy = {
  id: 'dummy', name: 'Dummy', sdks: ['sentry.javascript.dummy'],
  routeSegments: [{ why: 'Two dots begin a parameter.', pattern: /^\\.\\.(\\w+)$/, spelled: '[$1]' }],
  functionPath: /^\\/call\\/(\\w+)$/,
  controlFlow: [{ kind: 'signal', why: 'It throws away.', matches: ({ value }) => value === 'AWAY' }],
  redacted: [{ why: 'It hides the message.', matches: value => value === 'Hidden' }],
  missingFiles: [{ why: 'It looks for a page.', pattern: /^No page (\\/built\\/\\S+)$/ }],
  dataRequests: [{ kind: 'data', why: 'It asks for parts.', matches: url => url.includes('/part/') }],
  unfetched: { means: 'nothing', why: 'It asks for each page.' },
  serverWork: 'a dummy',
}
`
/** Runs in a process of its own, in which the list has one framework more. */
const script = (folder: string): string => `
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/react/frameworks/list.ts')) return loaded
    return { ...loaded, source: "import { dummy } from '${pathToFileURL(join(folder, 'dummy.mjs'))}'\\n" + loaded.source + '\\nframeworks.push(dummy)\\n' }
  },
})
const { processRecord } = await import('${pathToFileURL(join(root, 'src/digest/process-record.ts'))}')
const { routeFetches } = await import('${pathToFileURL(join(root, 'src/react/route-fetches.ts'))}')
const { routeSamples } = await import('${pathToFileURL(join(root, 'src/react/route-sample.ts'))}')
const { isActionSql } = await import('${pathToFileURL(join(root, 'src/react/frameworks/find-frameworks.ts'))}')
const context = { recordId: 'dummy', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
const sdk = { name: 'sentry.javascript.dummy', version: '1.0.0' }
const send = (type, payload) => {
  const text = JSON.stringify(payload)
  const body = Buffer.from(JSON.stringify({ event_id: payload.event_id, sdk }) + '\\n' + JSON.stringify({ type, length: Buffer.byteLength(text) }) + '\\n' + text)
  return processRecord({ head: { projectId: 1, keyId: 1, receivedAt: Date.UTC(2026, 10, 20), clientAddress: '', userAgent: '' }, body }, context)
}
let ids = 0
const error = (value, platform = 'javascript') => {
  const { groupedEvents: [event] } = send('event', { event_id: String(++ids).padStart(32, '0'), sdk, platform, exception: { values: [{ type: 'Error', value }] } })
  return [event.noise, event.title, event.serverError !== null, event.isSkew]
}
const at = Date.UTC(2026, 10, 20) / 1e3
const trace = (op, name, url, spans = []) => send('transaction', {
  event_id: String(++ids).padStart(32, '0'), sdk, platform: op === 'http.server' ? 'node' : 'javascript', type: 'transaction', transaction: name, transaction_info: { source: 'route' },
  start_timestamp: at - 1, timestamp: at, spans, contexts: { trace: { trace_id: 'a'.repeat(32), span_id: String(++ids).padStart(16, '0'), op, data: { 'url.full': url, 'http.request.method': 'GET' } } },
}).rows.spans
const view = trace('navigation', '/items/..id', 'https://shop.example/items/7', [
  { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.client', start_timestamp: at - 1, timestamp: at, data: { 'url.full': 'https://shop.example/part/items/7' } },
])
const [call] = trace('http.server', 'GET /items', 'https://shop.example/call/save')
console.log(JSON.stringify({
  signal: error('AWAY'), hidden: error('Hidden'), missing: error('No page /built/a.js', 'node'), plain: error('Broken'),
  route: view[0].route, navigation: routeSamples(view[0])[0].detail,
  fetches: routeFetches(view.map(span => ({ ...span, segment_id: '1' }))).measurements.map(({ sample }) => sample.measure),
  call: routeSamples(call)[0].detail, inSql: isActionSql.includes('/call'),
}))
`

test('a framework that is added to the list works everywhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-dummy-'))
  try {
    writeFileSync(join(folder, 'dummy.mjs'), adapter)
    writeFileSync(join(folder, 'run.mjs'), script(folder))
    const printed = execFileSync(process.execPath, ['--no-warnings', join(folder, 'run.mjs')], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(JSON.parse(printed)).toEqual({
      signal: [['framework-signals'], 'Error: AWAY', false, false],
      hidden: [[], 'ServerError: a dummy failed', true, false],
      missing: [['chunk-loads'], 'DeploySkew: open tabs request files of an old deploy', false, true],
      plain: [[], 'Error: Broken', false, false],
      route: '/items/[id]',
      navigation: 'nothing',
      fetches: ['fetch', 'cold'],
      call: 'action',
      inSql: true,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
