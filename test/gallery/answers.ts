import type { PaletteAnswer } from '#ui/palette/palette-entry.ts'
import { now } from './states/words.ts'

/**
 * What components fetch gets its answer from here, by path: there is no server behind the gallery. The name in a path decides:
 * `slow` is never answered, `failing` fails, `gone` is not found.
 */
const answers: readonly [path: RegExp, answer: () => unknown][] = [
  [/^\/api\/palette.*q=check/, () => results],
  [/^\/api\/palette/, () => ({ results: [], isPartial: false })],
  [/^\/acme\/replays\/empty\/dom$/, () => null],
  [/^\/acme\/replays\/\w+\/dom$/, () => change],
  [/^\/acme\/replays\/empty\/server/, () => []],
  [/^\/acme\/replays\/\w+\/server/, () => spans],
  [/^\/acme\/replays\/empty\/recording/, () => segment([])],
  [/^\/acme\/replays\/\w+\/recording/, () => segment([{ type: 2, timestamp: now }])],
  [/^\/acme\/traces\/\w+\/spans\//, () => span],
]

const results: PaletteAnswer = {
  results: [
    {
      id: 'i1',
      group: 'Issue',
      label: 'TypeError at checkout',
      note: 'WEB-42',
      detail: '34 users in 7 d',
      href: '/acme/issues/42',
    },
    {
      id: 'i2',
      group: 'Issue',
      label: 'ReferenceError: total is not defined in a title that is longer than the row that shows it',
      note: 'WEB-7, resolved',
      detail: 'in checkout/[id], 1 user in 7 d',
      href: '/acme/issues/7',
    },
    { id: 'r1', group: 'Route', label: '/checkout/[id]', note: 'web', href: '/acme/routes/checkout' },
  ],
  isPartial: true,
}
const change = {
  before: ['<main>', '  <p>Loading</p>', '</main>'],
  after: ['<main>', '  <p>Total: 12.00</p>', '</main>'],
  firstLine: 12,
  left: 3,
}
const spans = ['http.server', 'db.sql.query'].map((op, at) => ({
  id: `a${at}`,
  href: `/acme/traces/1#span-a${at}`,
  depth: at,
  side: 'server',
  op,
  name: at === 0 ? 'GET /checkout/[id]' : 'SELECT * FROM item',
  startUs: at * 9_000,
  durationUs: 40_000 - at * 20_000,
  isBad: at === 1,
  isHere: at === 0,
}))
const segment = (frames: readonly object[]) => ({
  segment: 0,
  isReadable: true,
  cut: 0,
  masking: { text: true, inputs: true, media: false },
  frames,
  resources: [],
  memory: [],
})
const span = {
  ended: '',
  usual: '',
  isSlow: false,
  previous: null,
  profileHref: null,
  facts: [{ label: 'Release', value: 'web@1.4.0' }],
  attributes: [{ label: 'http.response.status_code', value: '200' }],
  logs: [],
}

/** Answers in place of the server. Other requests go through: the development server has its own. */
export function answerFetches(): void {
  const { fetch } = window
  window.fetch = async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href)
    const path = pathname + search
    const found = answers.find(([pattern]) => pattern.test(path))
    if (!found) return fetch(input, init)
    if (/slow/.test(path)) return new Promise(() => {})
    if (/failing|gone/.test(path)) return new Response(null, { status: /gone/.test(path) ? 404 : 500 })
    return new Response(`${JSON.stringify(found[1]())}\n`, { headers: { 'content-type': 'application/json' } })
  }
}
