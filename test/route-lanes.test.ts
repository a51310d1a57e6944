/** Every route that streams or downloads is in the table of lanes. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#api/routes.ts'
import { routeLanes } from '#supervisor/front/route-lanes.ts'

const src = join(import.meta.dirname, '../src')
const read = (file: string): string => readFileSync(join(src, file), 'utf8')
const sourceFiles = globSync('**/*.{ts,tsx}', { cwd: src }).filter(file => !/\.test\.tsx?$/.test(file))

type Lane = 'stream' | 'download'
const isStream = /text\/event-stream/
/** A body in pieces, or one that is saved as a file or shown from what users have sent. */
const isDownload = /new ReadableStream\b|Readable\.toWeb\(|Content-Disposition|\.pipeThrough\(/i

/** The lane that a piece of code needs because of its text or the helpers that it calls. */
function laneOfCode(code: string, helpers: ReadonlyMap<string, Lane>): Lane | null {
  if (isStream.test(code)) return 'stream'
  const called = [...helpers].filter(([name]) => new RegExp(`\\b${name}\\(`).test(code)).map(([, lane]) => lane)
  if (called.includes('stream')) return 'stream'
  return isDownload.test(code) || called.length > 0 ? 'download' : null
}

/** The exported functions of a file with their text. */
function functionsOf(text: string): { name: string; code: string }[] {
  return text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).flatMap(code => {
    const name = /^export (?:async )?(?:function\*?|const) (\w+)/.exec(code)?.[1]
    return name === undefined ? [] : [{ name, code }]
  })
}

const folders = /^(?:web|api|replay-player)\//
const isRouteFile = (file: string) => /(^|\/)route\.ts$/.test(file)
/** Files of these folders run elsewhere, or answer requests to their own process. */
const elsewhere = new Set(['web/fetch-self.ts', 'web/security-headers.ts'])

/** The functions of shared folders whose result streams or downloads, also by calling each other. */
function findHelpers(): Map<string, Lane> {
  const helpers = new Map<string, Lane>()
  const functions = sourceFiles
    .filter(file => folders.test(file) && !elsewhere.has(file))
    .flatMap(file => functionsOf(read(file)))
    .filter(({ name, code }) => /Response|ReadableStream/.test(code) || /^get[A-Z]/.test(name))
  for (let before = -1; before !== helpers.size; ) {
    before = helpers.size
    for (const { name, code } of functions) {
      const lane = laneOfCode(code.slice(code.indexOf(name) + name.length), helpers)
      if (lane !== null) helpers.set(name, lane)
    }
  }
  // The router answers for all of its routes; each of them is looked at by itself.
  for (const name of ['routeApiRequest', 'callRoute']) helpers.delete(name)
  return helpers
}

const helpers = findHelpers()
const pathOf = (file: string): string =>
  `/${file
    .replace(/^app\//, '')
    .replace(/\/route\.ts$/, '')
    .split('/')
    .filter(segment => !/^\(.*\)$|^@/.test(segment))
    .join('/')}`

const found = new Map<string, Lane>()
for (const file of sourceFiles.filter(each => each.startsWith('app/') && isRouteFile(each))) {
  const lane = laneOfCode(read(file), helpers)
  if (lane !== null) found.set(pathOf(file), lane)
}
/** Factory functions create the handlers, so the functions themselves are unnamed. Each row of the table ends with the handler's name. */
const handlers = [...read('api/routes.ts').matchAll(/^ {2}route\([\s\S]*?(\w+),?\s*\),$/gm)].map(
  ([, name]) => name ?? '',
)
for (const [index, { method, pattern }] of routes.entries()) {
  const lane = helpers.get(handlers[index] ?? '')
  if (method === 'GET' && lane !== undefined) found.set(pattern, lane)
}

test('every route that streams or downloads has a lane, and the table lists no other routes', () => {
  expect(Object.fromEntries([...found].sort())).toEqual(Object.fromEntries(Object.entries(routeLanes).sort()))
})

test('the test finds what it looks for: streams, bodies in pieces, helpers of helpers', () => {
  expect(handlers).toHaveLength(routes.length)
  expect([...helpers.keys()]).toEqual(expect.arrayContaining(['jsonLines', 'attachmentResponse', 'getEventAttachment']))
  expect(found.get('/[org]/logs/tail')).toBe('stream')
  expect(laneOfCode('return new Response(body)', helpers)).toBeNull()
  expect(laneOfCode('return jsonLines(name, rows)', helpers)).toBe('download')
  expect(laneOfCode("headers: { 'content-type': 'text/event-stream' }", helpers)).toBe('stream')
})
