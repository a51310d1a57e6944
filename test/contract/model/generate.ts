/**
 * Invented telemetry whose numbers are known: errors, visits, sessions and log lines of several projects over two weeks, in an order in
 * which no network would lose anything, and then late, shuffled and doubled as networks do it. The truth is counted from the list,
 * never from a database.
 */
import { createIds } from '../../create-ids.ts'
import type { Random } from '../../fuzz/random.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export const routes = ['/', '/items/[id]', '/cart', '/account/[[...tab]]']
const releases = ['shop@1.0.0', 'shop@1.1.0', 'shop@1.2.0', '']
const environments = ['production', 'staging']
const levels = ['error', 'error', 'error', 'warning', 'fatal'] as const

/** What errors and visits have in common. */
export type ModelRow = {
  projectId: number
  at: number
  receivedAt: number
  release: string
  environment: string
  route: string
  traceId: string
}

export type ModelEvent = ModelRow & {
  eventId: string
  /** Its group: one type of error is one issue. */
  type: string
  /** '' without a user. */
  user: string
  isHandled: boolean
  level: 'error' | 'warning' | 'fatal'
  plan: string
}

type ModelSpan = {
  spanId: string
  op: string
  name: string
  at: number
  durationMs: number
  isFailed: boolean
  isSegment: boolean
  origin?: string
  attributes?: Record<string, string>
}

/** A page load, a navigation or a request, with the spans in it; the first span is its segment. */
export type ModelVisit = ModelRow & {
  kind: 'load' | 'navigation' | 'request' | 'prefetch' | 'middleware'
  user: string
  /** The share of traces that the SDK sends. */
  rate: number
  vitals: Partial<Record<'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb', number>>
  /** Of a request. */
  status: number
  /** The id of the server action that a request calls; '' for any other visit. */
  action: string
  spans: ModelSpan[]
}

export type ModelSession = Omit<ModelRow, 'route' | 'traceId'> & {
  sessionId: string
  user: string
  isFailed: boolean
  /** More than one if a server adds them up. */
  quantity: number
}

export type ModelLog = Pick<ModelRow, 'projectId' | 'at' | 'receivedAt' | 'traceId'> & {
  /** '' outside of any span. */
  spanId: string
  body: string
  level: 'info' | 'error'
}

type Wanted = { random: Random; projectIds: readonly number[]; now: number; count: number }

export function generateEvents({ random, projectIds, now, count }: Wanted): ModelEvent[] {
  const newId = createIds(`model ${random.int(1_000_000)}`)
  const groups = Array.from({ length: 12 }, (_, index) => ({
    type: `Model${index}Error`,
    level: random.pick(levels),
    // Some have happened all the time, some only long ago, some in the last hour.
    oldest: random.pick([13 * dayMs, 9 * dayMs, 2 * dayMs, 25 * hourMs, hourMs]),
    newest: random.pick([0, 0, 0, 50 * 60_000, 23.9 * hourMs, 6.9 * dayMs, 8 * dayMs]),
    users: random.pick([3, 40, 400]),
  })).map(group => ({ ...group, newest: Math.min(group.newest, group.oldest / 2) }))
  return Array.from({ length: count }, () => {
    // One is as frequent as four others.
    const group = random.pick(random.chance(0.25) ? groups.slice(0, 1) : groups)
    const ago = Math.floor(group.newest + (random.int(10_001) / 10_000) * (group.oldest - group.newest))
    const at = now - ago
    const lateMs = random.chance(0.2) ? Math.min(ago, random.pick([2 * hourMs, 26 * hourMs, 5 * dayMs])) : 0
    return {
      eventId: newId(),
      projectId: random.pick(projectIds),
      type: group.type,
      at,
      receivedAt: at + lateMs,
      release: releaseAt(random, ago),
      environment: random.pick(environments),
      route: random.chance(0.8) ? random.pick(routes) : '',
      traceId: '',
      user: random.chance(0.2) ? '' : `user${random.int(group.users)}`,
      isHandled: random.chance(0.5),
      level: group.level,
      plan: random.pick(['free', 'business']),
    }
  })
}

/** Later ones only lately. */
function releaseAt(random: Random, ago: number): string {
  const known = Math.max(1, Math.ceil(((13 * dayMs - ago) / (13 * dayMs)) * releases.length))
  return random.pick(releases.slice(0, known))
}

/** Around the bounds of "good" and "poor", where an estimate would be on the wrong side. */
const around = {
  lcp: [2_450, 2_500, 2_501, 2_530, 3_990, 4_000, 4_020, 900],
  inp: [190, 200, 201, 204, 498, 500, 502, 40],
  cls: [0.098, 0.1, 0.101, 0.102, 0.249, 0.25, 0.252, 0],
  fcp: [1_790, 1_800, 1_801, 1_810, 2_990, 3_000, 3_010, 500],
  ttfb: [795, 800, 801, 805, 1_795, 1_800, 1_805, 60],
} as const

export function generateVisits({ random, projectIds, now, count }: Wanted): ModelVisit[] {
  const newId = createIds(`model visits ${random.int(1_000_000)}`)
  const spanId = () => newId().slice(0, 16)
  return Array.from({ length: count }, (): ModelVisit => {
    const kind = random.pick([
      'load',
      'load',
      'load',
      'navigation',
      'request',
      'request',
      'prefetch',
      'middleware',
    ] as const)
    const ago = random.int(random.pick([3 * hourMs, 26 * hourMs, 9 * dayMs]))
    const at = now - ago
    const route = random.pick(routes)
    const projectId = random.pick(projectIds)
    const near = (values: readonly number[]) => values[(routes.indexOf(route) * 2 + random.int(3)) % values.length] ?? 0
    const durationMs = 20 + random.int(3_000)
    const segment = { isSegment: true, isFailed: random.chance(0.1), spanId: spanId(), at, durationMs }
    const action = kind === 'request' && random.chance(0.4) ? random.pick(actionIds) : ''
    const op = { load: 'pageload', navigation: 'navigation', request: 'http.server', prefetch: 'http.server' } as const
    return {
      kind,
      projectId,
      at,
      receivedAt: Math.min(now, at + (random.chance(0.2) ? 3 * hourMs : 0)),
      release: releaseAt(random, ago),
      environment: random.pick(environments),
      route,
      traceId: newId(),
      user: `user${random.int(60)}`,
      rate: random.pick([1, 1, 0.25]),
      vitals:
        kind === 'load'
          ? {
              lcp: near(around.lcp),
              inp: near(around.inp),
              cls: near(around.cls),
              fcp: near(around.fcp),
              ttfb: near(around.ttfb),
            }
          : kind === 'navigation'
            ? { lcp: near(around.lcp) }
            : {},
      status: kind === 'request' ? random.pick([200, 200, 200, 404, 500]) : 200,
      action,
      spans: [
        {
          ...segment,
          op: kind === 'middleware' ? 'middleware.nextjs' : op[kind],
          name: kind === 'middleware' ? 'middleware GET' : route,
        },
        ...Array.from({ length: random.int(3) }, (_, index) => ({
          spanId: spanId(),
          op: kind === 'request' ? 'db.query' : 'resource.script',
          name: kind === 'request' ? 'SELECT 1' : `/script-${index}.js`,
          at: at + index,
          durationMs: random.int(durationMs),
          isFailed: random.chance(0.1),
          isSegment: false,
        })),
        ...(kind === 'load' ? longFrames(random, spanId, at) : []),
        // Only some actions are wrapped.
        ...(action !== '' && random.chance(0.5) ? [namedAction(spanId(), at)] : []),
      ],
    }
  })
}

const actionIds = ['40a1b2c3d4e5f60718293a4b5c6d7e8f9012345678', '60ffeeddccbbaa99887766554433221100aabbccdd']

const namedAction = (spanId: string, at: number): ModelSpan => ({
  spanId,
  op: 'function.server_action',
  name: 'submitOrder',
  at,
  durationMs: 7,
  isFailed: false,
  isSegment: false,
  origin: 'auto.function.nextjs.server_action',
})

/** What blocked a page, by the script that the browser blames, if it blames one. */
const longFrames = (random: Random, newSpanId: () => string, at: number): ModelSpan[] =>
  Array.from({ length: random.int(3) }, (_, index) => ({
    spanId: newSpanId(),
    op: 'ui.long-animation-frame',
    name: 'Main UI thread blocked',
    at: at + index * 600,
    durationMs: 51 + random.int(500),
    isFailed: false,
    isSegment: false,
    attributes: random.pick([
      { 'code.function.name': 'filter', 'code.file.path': 'app/list.js' },
      { 'browser.script.invoker': 'BUTTON#buy.onclick' },
      {},
    ]),
  }))

export function generateSessions({ random, projectIds, now, count }: Wanted): ModelSession[] {
  const newId = createIds(`model sessions ${random.int(1_000_000)}`)
  return Array.from({ length: count }, () => {
    const ago = random.int(random.pick([26 * hourMs, 9 * dayMs]))
    const at = Math.floor((now - ago) / 1_000) * 1_000
    return {
      sessionId: newId(),
      projectId: random.pick(projectIds),
      at,
      receivedAt: at,
      // A session without a release belongs to none.
      release: releaseAt(random, ago) || 'shop@1.0.0',
      environment: random.pick(environments),
      user: `user${random.int(80)}`,
      isFailed: random.chance(0.2),
      quantity: random.chance(0.8) ? 1 : 2 + random.int(30),
    }
  })
}

/** Some errors and log lines happen in a visit. */
export function placeInVisits(events: ModelEvent[], visits: readonly ModelVisit[], random: Random): ModelLog[] {
  for (const event of events) {
    // A page finds the errors of a trace within a day of it.
    const near = visits.filter(
      ({ projectId, at }) => projectId === event.projectId && Math.abs(at - event.at) < 12 * hourMs,
    )
    if (near.length > 0 && random.chance(0.3)) event.traceId = random.pick(near).traceId
  }
  return visits
    .filter(() => random.chance(0.2))
    .map(({ projectId, at, receivedAt, traceId, spans }, index) => ({
      projectId,
      at,
      receivedAt,
      traceId,
      // In the segment or a span below it, in none, or in one that never came.
      spanId: random.pick([spans[0]?.spanId ?? '', spans.at(-1)?.spanId ?? '', '', 'f'.repeat(16)]),
      body: `line ${index}`,
      level: random.pick(['info', 'info', 'error'] as const),
    }))
}

/** In batches as they might arrive: by receipt, but shuffled in the neighborhood, and a tenth of the errors once more later. */
export function deliver<Item extends { receivedAt: number }>(
  items: readonly Item[],
  random: Random,
  { size, isRepeatable = () => true }: { size: number; isRepeatable?: (item: Item) => boolean },
): Item[][] {
  const doubled = [
    ...items,
    ...items
      .filter(item => isRepeatable(item) && random.chance(0.1))
      .map(item => ({ ...item, receivedAt: item.receivedAt + 60_000 })),
  ]
  const order = doubled
    .map(item => ({ item, key: item.receivedAt + random.int(3 * hourMs) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
  return Array.from({ length: Math.ceil(order.length / size) }, (_, index) =>
    order.slice(index * size, (index + 1) * size),
  )
}
