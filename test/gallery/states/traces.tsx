import { type ReactNode, useRef } from 'react'
import { buildTraceTree } from '#domain/traces/tree/build-trace-tree.ts'
import type { TraceSpan } from '#domain/traces/tree/trace-span.ts'
import { FlameChart } from '#ui/profile/flame-chart.tsx'
import type { FlameView } from '#ui/profile/flame-view.ts'
import { ProfileTable } from '#ui/profile/profile-table.tsx'
import { ProfileView } from '#ui/profile/profile-view.tsx'
import { LaneRow } from '#ui/trace/lane-row.tsx'
import { DurationChart, ThroughputChart } from '#ui/trace/measure-charts.tsx'
import { type MiniRow, MiniWaterfall } from '#ui/trace/mini-waterfall.tsx'
import { Minimap } from '#ui/trace/minimap.tsx'
import { Legend } from '#ui/trace/op-family.tsx'
import { packTrace } from '#ui/trace/pack-trace.ts'
import { PlainWaterfall } from '#ui/trace/plain-waterfall.tsx'
import { Ruler, TimeLines, VitalRow } from '#ui/trace/ruler.tsx'
import { SpanBody, type SpanDetailsView } from '#ui/trace/span-body.tsx'
import { SpanDrawer } from '#ui/trace/span-drawer.tsx'
import { TraceListTable } from '#ui/trace/trace-list-table.tsx'
import { shapeTrace } from '#ui/trace/trace-rows.ts'
import { writeTrace } from '#ui/trace/trace-text.ts'
import { type TraceView, useTraceView } from '#ui/trace/use-trace-view.ts'
import { useVirtualRows } from '#ui/trace/use-virtual-rows.ts'
import { Waterfall } from '#ui/trace/waterfall.tsx'
import { WaterfallGrid } from '#ui/trace/waterfall-grid.tsx'
import { WaterfallHead } from '#ui/trace/waterfall-head.tsx'
import { WaterfallRow } from '#ui/trace/waterfall-row.tsx'
import { Forced } from '../forced.tsx'
import { exhibit, type Room } from '../states.tsx'
import { counts, dayMs, hourMs, longName, longText, minuteMs, now, oddText } from './words.ts'

type Change = Partial<TraceSpan>
const span = (id: number, parent: number, startMs: number, ms: number, change: Change = {}): TraceSpan => ({
  id: idOf(id),
  parentId: parent === 0 ? '' : idOf(parent),
  segmentId: '',
  isSegment: false,
  segmentName: '',
  startUs: startMs * 1e3,
  durationUs: ms * 1e3,
  name: 'GET /checkout',
  op: 'http.server',
  side: 'server',
  projectId: 1,
  clock: change.side ?? 'server',
  path: '',
  isFailed: false,
  isPrefetch: false,
  isSdkTransport: false,
  isUnclocked: false,
  ...change,
})
const idOf = (id: number): string => id.toString(16).padStart(16, '0')
const browser = { side: 'browser' } as const

const typical = [
  span(1, 0, 0, 900, { ...browser, op: 'pageload', name: '/checkout/[id]' }),
  span(2, 1, 12, 260, { ...browser, op: 'http.client', name: 'GET /checkout/7' }),
  span(3, 2, 20, 230, { isSegment: true }),
  ...Array.from({ length: 6 }, (_, at) =>
    span(10 + at, 3, 40 + at * 15, 12, { op: 'db.sql.query', name: 'SELECT * FROM item WHERE id = $1' }),
  ),
  span(4, 3, 150, 70, { op: 'http.client', name: 'POST https://pay.example/intents', isFailed: true }),
  span(5, 1, 300, 80, { ...browser, op: 'resource.script', name: '/_next/static/chunks/main.js' }),
  span(6, 1, 400, 120, { ...browser, op: 'ui.long-animation-frame', name: 'Main thread' }),
  span(7, 99, 420, 60, { ...browser, op: 'ui.render', name: longName }),
]
const manySpans = [
  span(1, 0, 0, 4_000),
  ...Array.from({ length: 60 }, (_, at) =>
    span(20 + at, at % 4 === 0 ? 1 : 20 + at - (at % 4), at * 60, 50, {
      op: at % 2 ? 'db' : 'ui.render',
      name: oddText,
    }),
  ),
]

function pack(spans: readonly TraceSpan[]) {
  const { roots, startUs, endUs } = buildTraceTree([...spans])
  return packTrace({
    roots,
    startUs,
    endUs,
    errorsBySpan: new Map([[idOf(4), 1]]),
    logsBySpan: new Map([[idOf(3), 2]]),
    marksBySpan: new Map([
      [
        idOf(3),
        [
          { atUs: 60_000, isError: false },
          { atUs: 200_000, isError: true },
        ],
      ],
    ]),
    laneOf: ({ side }) => ({ side, note: side === 'server' ? 'web@1.4.0, node-1' : 'Chrome 156' }),
  })
}

const packed = writeTrace(pack(typical))
const shape = shapeTrace(pack(typical))
const whole = { fromUs: 0, toUs: shape.scale.wholeUs }
const part = { fromUs: whole.toUs * 0.2, toUs: whole.toUs * 0.6 }
const vitals = [
  { label: 'FCP', text: '310 ms', rating: '', atUs: 310_000 },
  { label: 'LCP', text: '640 ms', rating: 'meh', atUs: 640_000 },
  { label: 'CLS', text: '0.31', rating: 'bad', atUs: null },
]
const errors = [{ href: '/acme/issues/42', label: 'WEB-42', level: 'error', title: 'TypeError: currency of undefined' }]
const first = { fromUs: 0, toUs: 900_000 }
const waterfall = (spans: readonly TraceSpan[]) => (
  <Waterfall
    packed={writeTrace(pack(spans))}
    first={first}
    vitals={vitals}
    errors={{ [idOf(4)]: errors }}
    path="/acme/traces/typical"
  />
)

/** Parts of the waterfall take the state of the whole. */
function WithView({ children }: { children: (view: TraceView) => ReactNode }) {
  return children(useTraceView(packed, first))
}
function Head() {
  const field = useRef<HTMLInputElement>(null)
  return (
    <WithView>
      {view => <WaterfallHead view={view} vitals={vitals} field={field} onLeave={() => field.current?.blur()} />}
    </WithView>
  )
}
function Grid({ openRow = -1 }: { openRow?: number }) {
  const grid = useRef<HTMLDivElement>(null)
  const view = useTraceView(packed, first)
  const virtual = useVirtualRows(grid, view)
  return <WaterfallGrid {...{ grid, view, virtual, vitals, openRow }} onShow={view.setCursor} />
}

type RowState = Partial<Parameters<typeof WaterfallRow>[0]>
const rowOf = (id: number): number => shape.byId.get(idOf(id)) ?? 0
const waterfallRow = (id: number, change: RowState = {}) => (
  <div className="wf" role="treegrid" aria-label="A row" tabIndex={0}>
    <WaterfallRow
      shape={shape}
      row={rowOf(id)}
      depth={1}
      index={0}
      window={whole}
      isFolded={false}
      isCursor={false}
      isOpen={false}
      {...change}
    />
  </div>
)

const details: SpanDetailsView = {
  ended: '',
  usual: 'Similar spans usually take 40 ms.',
  isSlow: true,
  previous: { href: '/acme/traces/1', label: 'The page view before: /cart' },
  profileHref: '/acme/traces/1/spans/3/profile',
  facts: [{ label: 'Release', value: 'web@1.4.0' }],
  attributes: [{ label: 'http.response.status_code', value: '502' }],
  logs: [
    { at: '09:26:53.120', level: 'info', body: 'payment begun' },
    { at: '09:26:53.310', level: 'error', body: longText },
  ],
}
const bare: SpanDetailsView = {
  ended: 'This span never ended.',
  usual: '',
  isSlow: false,
  previous: null,
  profileHref: null,
  facts: [],
  attributes: [],
  logs: [],
}
type Details = Parameters<typeof SpanDrawer>[0]['details']
const drawer = (state: Details, list = errors) => (
  <SpanDrawer shape={shape} row={rowOf(4)} details={state} errors={list} onClose={() => {}} onRetry={() => {}} />
)

const miniRow = (id: number, change: Partial<MiniRow> = {}): MiniRow => ({
  id: idOf(id),
  href: `/acme/traces/1#span-${idOf(id)}`,
  depth: id - 1,
  side: 'server',
  op: 'db.sql.query',
  name: 'SELECT 1',
  startUs: id * 4_000,
  durationUs: 9_000,
  isBad: false,
  isHere: false,
  ...change,
})

const bars = 48
const day = { from: now - (now % hourMs) - dayMs, to: now - (now % hourMs), stepMs: dayMs / bars }
const step = (count: number) =>
  count === 0
    ? null
    : { count, failed: count > 600 ? 40 : 0, p50Us: 40_000, p75Us: 90_000, p95Us: 90_000 + count * 900 }
const measures = (list: readonly number[], estimate = 0) => {
  const count = list.reduce((sum, each) => sum + each, 0)
  return {
    ...day,
    steps: list.map(step),
    whole: { count, failed: count > 600 ? 120 : 0, p50Us: 40_000, p75Us: 90_000, p95Us: 700_000 },
    estimate: Math.max(count, estimate),
  }
}
const one = counts(bars, 0).map((_, at) => (at === 30 ? 1 : 0))

const sort = { href: '?sort', isOn: false }
const sorts = { duration: { href: '?sort', isOn: true }, failed: sort, at: sort }
type TraceRow = Parameters<typeof TraceListTable>[0]['rows'][number]
const traceRow = (id: number, change: Partial<TraceRow> = {}): TraceRow => ({
  spanId: idOf(id),
  traceId: idOf(id).repeat(2),
  href: `/acme/traces/${id}`,
  at: now - id * minuteMs,
  durationUs: 900_000 / id,
  name: '/checkout/[id]',
  op: 'pageload',
  side: 'browser',
  isFailed: false,
  statusCode: 200,
  release: 'web@1.4.0',
  userId: 'u-17',
  project: 'web',
  matchCount: 1,
  failedCount: 0,
  spanCount: 412,
  ...change,
})

export const trace: Room = {
  folder: 'ui/trace',
  exhibits: [
    exhibit('Waterfall', Waterfall, {
      'one span': waterfall(typical.slice(0, 1)),
      'a page load': waterfall(typical),
      many: waterfall(manySpans),
    }),
    exhibit('WaterfallHead', WaterfallHead, { ready: <Head /> }),
    exhibit('WaterfallGrid', WaterfallGrid, {
      ready: <Grid />,
      'a span is open': <Grid openRow={rowOf(4)} />,
    }),
    exhibit('WaterfallRow', WaterfallRow, {
      ordinary: waterfallRow(5),
      parent: waterfallRow(3),
      folded: waterfallRow(3, { isFolded: true }),
      failed: waterfallRow(4),
      'under the cursor': waterfallRow(5, { isCursor: true }),
      open: waterfallRow(5, { isOpen: true }),
      hovered: (
        <Forced as=":hover" on="[role=row]">
          {waterfallRow(5)}
        </Forced>
      ),
      'outside of the window': waterfallRow(2, { window: { fromUs: whole.toUs * 0.7, toUs: whole.toUs } }),
      'deep and long': waterfallRow(7, { depth: 40 }),
    }),
    exhibit('LaneRow', LaneRow, {
      server: <LaneOf lane={{ side: 'server', note: 'web@1.4.0, node-1' }} />,
      browser: <LaneOf lane={{ side: 'browser', note: longText }} />,
      unknown: <LaneOf lane={undefined} />,
    }),
    exhibit('PlainWaterfall', PlainWaterfall, { 'a page load': <PlainWaterfall shape={shape} /> }),
    exhibit('MiniWaterfall', MiniWaterfall, {
      one: <MiniWaterfall rows={[miniRow(1)]} />,
      many: (
        <MiniWaterfall
          rows={[miniRow(1, { op: 'http.server' }), miniRow(2, { isHere: true }), miniRow(3, { isBad: true })]}
        />
      ),
      long: <MiniWaterfall rows={[miniRow(1, { op: longName, name: longText })]} />,
    }),
    exhibit('Minimap', Minimap, {
      whole: <Minimap shape={shape} window={whole} onWindow={() => {}} />,
      'a part': <Minimap shape={shape} window={part} onWindow={() => {}} />,
    }),
    exhibit('Ruler', Ruler, {
      whole: axis(<Ruler window={whole} scale={shape.scale} />),
      'a part': axis(<Ruler window={part} scale={shape.scale} />),
    }),
    exhibit('VitalRow', VitalRow, {
      none: axis(<VitalRow vitals={[]} window={whole} scale={shape.scale} />),
      some: axis(<VitalRow vitals={vitals} window={whole} scale={shape.scale} />),
    }),
    exhibit('TimeLines', TimeLines, {
      whole: (
        <div className="wfgrid" style={{ position: 'relative', height: 60 }}>
          <TimeLines vitals={vitals} window={whole} scale={shape.scale} />
        </div>
      ),
    }),
    exhibit('Legend', Legend, { all: <Legend /> }),
    exhibit('SpanDrawer', SpanDrawer, {
      loading: drawer({ state: 'loading' }),
      failed: drawer({ state: 'failed' }),
      missing: drawer({ state: 'missing' }, []),
      loaded: drawer({ state: 'loaded', view: details }),
    }),
    exhibit('SpanBody', SpanBody, {
      'almost nothing': <SpanBody view={bare} />,
      everything: <SpanBody view={details} />,
      long: <SpanBody view={{ ...details, attributes: [{ label: longName, value: longText }] }} />,
    }),
    exhibit('DurationChart', DurationChart, {
      empty: <DurationChart measures={measures(counts(bars, 0))} />,
      one: <DurationChart measures={measures(one)} />,
      many: <DurationChart measures={measures(counts(bars, 840))} />,
    }),
    exhibit('ThroughputChart', ThroughputChart, {
      empty: <ThroughputChart measures={measures(counts(bars, 0))} />,
      one: <ThroughputChart measures={measures(one)} />,
      many: <ThroughputChart measures={measures(counts(bars, 840))} />,
      sampled: <ThroughputChart measures={measures(counts(bars, 840), 1_200_000)} />,
    }),
    exhibit('TraceListTable', TraceListTable, {
      empty: <TraceListTable rows={[]} now={now} sorts={sorts} />,
      one: <TraceListTable rows={[traceRow(1)]} now={now} sorts={sorts} />,
      many: (
        <TraceListTable
          rows={[
            traceRow(1, { matchCount: 40 }),
            traceRow(2, { failedCount: 3, isFailed: true, statusCode: 0 }),
            traceRow(3, { op: 'db', name: 'SELECT * FROM item', side: 'server' }),
            traceRow(4, { op: '', name: '', release: '', userId: '' }),
            traceRow(5, { op: longName, name: longText, release: longName, userId: longName }),
          ]}
          now={now}
          sorts={sorts}
        />
      ),
    }),
  ],
}

function LaneOf({ lane }: { lane: Parameters<typeof LaneRow>[0]['lane'] }) {
  return (
    <div className="wf" role="treegrid" aria-label="A lane" tabIndex={0}>
      <LaneRow lane={lane} index={0} />
    </div>
  )
}

function axis(children: ReactNode) {
  return (
    <div className="wfline thin" style={{ position: 'relative', height: 26 }}>
      {children}
    </div>
  )
}

const frames = [
  { name: 'handleRequest', where: 'src/server.ts:12', isOwn: true },
  { name: 'renderToPipeableStream', where: 'react-dom', isOwn: false },
  { name: 'total', where: 'src/checkout/cart.ts:41', isOwn: true },
  { name: longName, where: '', isOwn: false },
]
const flame: FlameView = {
  frames,
  boxes: [
    [0, 0, 0, 590, 59],
    [1, 1, 20, 400, 38],
    [2, 2, 40, 300, 26],
    [3, 1, 420, 580, 16],
  ],
  functions: [
    { frame: 2, selfMs: 260, totalMs: 260, samples: 26, callers: [{ frame: 1, ms: 260 }] },
    { frame: 3, selfMs: 160, totalMs: 160, samples: 16, callers: [{ frame: 0, ms: 160 }] },
    { frame: 1, selfMs: 120, totalMs: 380, samples: 38, callers: [{ frame: 0, ms: 380 }] },
    { frame: 0, selfMs: 50, totalMs: 590, samples: 59, callers: [] },
  ],
  lengthMs: 590,
  intervalMs: 10,
}
const empty: FlameView = { frames: [], boxes: [], functions: [], lengthMs: 0, intervalMs: 10 }
const profileRow = (id: number) => ({
  spanId: idOf(id),
  href: `/acme/traces/${id}/spans/${id}/profile`,
  at: now - id * hourMs,
  durationUs: 400_000 * id,
  name: 'GET /checkout',
  op: 'http.server',
  route: id === 3 ? longName : '/checkout/[id]',
  platform: ['node', 'javascript', 'elixir'][id % 3] ?? '',
  side: id % 2 ? 'server' : 'browser',
  release: id === 3 ? longName : 'web@1.4.0',
  environment: 'production',
  project: 'web',
})

export const profile: Room = {
  folder: 'ui/profile',
  exhibits: [
    exhibit('FlameChart', FlameChart, {
      empty: <FlameChart view={empty} isFound={null} chosen={null} onChoose={() => {}} />,
      whole: <FlameChart view={flame} isFound={null} chosen={null} onChoose={() => {}} />,
      'one found': <FlameChart view={flame} isFound={each => each === 2} chosen={null} onChoose={() => {}} />,
      'one chosen': <FlameChart view={flame} isFound={null} chosen={2} onChoose={() => {}} />,
    }),
    exhibit('ProfileView', ProfileView, { ready: <ProfileView view={flame} /> }),
    exhibit('ProfileTable', ProfileTable, {
      empty: <ProfileTable rows={[]} now={now} sorts={sorts} />,
      one: <ProfileTable rows={[profileRow(1)]} now={now} sorts={sorts} />,
      many: <ProfileTable rows={[1, 2, 3].map(profileRow)} now={now} sorts={sorts} />,
    }),
  ],
}
