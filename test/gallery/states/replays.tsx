import { ReplayClip } from '#ui/replay/clip.tsx'
import { DomChange } from '#ui/replay/dom-change.tsx'
import DomDiff from '#ui/replay/dom-diff.tsx'
import { Journey, type JourneyStop } from '#ui/replay/journey.tsx'
import { AmountChart } from '#ui/replay/player/amount-chart.tsx'
import ClipPlayer from '#ui/replay/player/clip-player.tsx'
import { Controls } from '#ui/replay/player/controls.tsx'
import { Lanes } from '#ui/replay/player/lanes.tsx'
import type { Mark, PageBar, ReplayData, ServerBar, SyncRow } from '#ui/replay/player/replay-data.ts'
import { ReplayScreen } from '#ui/replay/player/replay-screen.tsx'
import { ServerWork } from '#ui/replay/player/server-work.tsx'
import { Stage } from '#ui/replay/player/stage.tsx'
import { SyncList } from '#ui/replay/player/sync-list.tsx'
import { SyncTabs } from '#ui/replay/player/sync-tabs.tsx'
import { usePlayer } from '#ui/replay/player/use-player.ts'
import { type ReplayRow, ReplayTable } from '#ui/replay/replay-table.tsx'
import { exhibit, type Room } from '../states.tsx'
import { longName, longText, minuteMs, now } from './words.ts'

const durationMs = 95_000
const idOf = (id: number): string => id.toString(16).padStart(32, '0')

const icons: SyncRow['icon'][] = [
  'page',
  'click',
  'input',
  'request',
  'server',
  'console',
  'rage',
  'dead',
  'error',
  'feedback',
  'tab',
  'log',
  'memory',
]
const earlyRow: SyncRow = {
  ...{ id: 'early', at: 0, earlierMs: 35_000, icon: 'error', look: 'error' },
  ...{ verb: 'Error', what: 'TypeError: from the page before', note: 'WEB-7', href: '/acme/issues/7' },
}
const iconRows: SyncRow[] = icons.map((icon, at) => ({
  id: `r${at}`,
  at: at * 7_000,
  icon,
  look: icon === 'error' ? 'error' : icon === 'rage' ? 'warning' : 'plain',
  verb: `A row with ${icon}`,
  what: at === 3 ? longText : 'button.pay',
  note: at === 4 ? 'WEB-42' : '502',
  ...(at === 4 ? { href: '/acme/issues/42' } : {}),
  ...(at === 1 ? { nodeId: 7 } : {}),
}))
const syncRows: SyncRow[] = [earlyRow, ...iconRows]
const memoryRows: SyncRow[] = [20, 24, 61, 58, 90].map((amount, at) => ({
  id: `m${at}`,
  at: at * 20_000,
  icon: 'memory',
  look: 'plain',
  verb: `${amount} MB`,
  what: '',
  note: 'of 100 MB',
  amount,
}))
const pages: PageBar[] = [
  { from: 0, to: 30_000, path: '/cart' },
  { from: 30_000, to: durationMs, path: `/checkout/${longName}` },
]
const marks: Mark[] = [
  { at: 7_000, kind: 'click', label: 'Click on button.pay' },
  { at: 42_000, kind: 'rage', label: '5 clicks on button.pay' },
  { at: 56_000, kind: 'error', label: 'TypeError' },
  { at: 57_000, kind: 'warning', label: 'A warning' },
  { at: 60_000, kind: 'idle', label: 'Idle', toMs: 84_000 },
]
const servers: ServerBar[] = [
  {
    at: 31_000,
    durationMs: 900,
    name: 'GET /checkout/[id]',
    statusCode: 200,
    isFailed: false,
    traceId: idOf(1),
    spanId: 'a1',
  },
  {
    at: 52_000,
    durationMs: 4_000,
    name: 'POST /api/pay',
    statusCode: 502,
    isFailed: true,
    traceId: idOf(2),
    spanId: 'a2',
  },
]
const tabs: ReplayData['tabs'] = [
  { id: 'all', label: 'All', rows: syncRows, empty: 'Nothing happened.' },
  { id: 'console', label: 'Console', rows: [], empty: 'The page has written nothing to the console.' },
  { id: 'memory', label: 'Memory', rows: memoryRows, empty: 'No measurements.' },
]
const data = (name: string, missingSegments: number[] = []): ReplayData => ({
  replayId: idOf(1),
  path: `/acme/replays/${name}`,
  tracesPath: '/acme/traces',
  startedAt: now,
  durationMs,
  openAt: 0,
  pages,
  marks,
  servers,
  tabs,
  missingSegments,
  segmentCount: 12,
})

function StageOf({ name, loadsImages = false }: { name: string; loadsImages?: boolean }) {
  const player = usePlayer({
    recordingHref: `/acme/replays/${name}/recording`,
    startedAt: now,
    durationMs,
    openAt: 0,
    loadsImages,
  })
  return <Stage player={player} loadsImages={loadsImages} url="https://shop.example/checkout" onLoadImages={() => {}} />
}

type ControlState = Partial<Parameters<typeof Controls>[0]>
const controls = (change: ControlState = {}) => (
  <Controls
    at={42_000}
    durationMs={durationMs}
    isPlaying={false}
    isReady
    isSkipping={false}
    speed={1}
    skipsIdle
    errors={[56_000]}
    onSeek={() => {}}
    onSpeed={() => {}}
    onSkipIdle={() => {}}
    onFullScreen={() => {}}
    {...change}
  />
)
const lanes = (loadedTo: number, isEmpty = false) => (
  <Lanes
    durationMs={durationMs}
    at={42_000}
    recordedFrom={0}
    loadedTo={loadedTo}
    pages={isEmpty ? [] : pages}
    marks={isEmpty ? [] : marks}
    servers={isEmpty ? [] : servers}
    onSeek={() => {}}
  />
)
const syncTabs = (list: ReplayData['tabs']) => (
  <SyncTabs tabs={list} at={42_000} durationMs={durationMs} onSeek={() => {}} onOutline={() => {}} />
)
const syncList = (rows: readonly SyncRow[], at: number) => (
  <SyncList label="All" rows={rows} now={at} onSeek={() => {}} onOutline={() => {}} />
)
const clip = { startedAt: now, durationMs, at: 56_000 }

const nobody = { id: '', email: '', name: '', ip: '' }
const replayRow = (id: number, change: Partial<ReplayRow> = {}): ReplayRow => ({
  replayId: idOf(id),
  href: `/acme/replays/${id}`,
  startedAt: now - id * minuteMs,
  endedAt: now - id * minuteMs + durationMs,
  urls: ['https://shop.example/', 'https://shop.example/cart', 'https://shop.example/checkout'],
  errors: 0,
  rageClicks: 0,
  deadClicks: 0,
  activity: 4,
  user: { ...nobody, email: 'ada@example.com' },
  browser: 'Chrome 156.0.1',
  os: 'macOS 16',
  release: 'web@1.4.0',
  segmentCount: 12,
  missingSegments: [],
  ...change,
})
const sort = { href: '?sort', isOn: false }
const sorts = { duration: sort, errors: sort, rage: sort, activity: sort, at: { href: '?sort', isOn: true } }

const stop = (id: number, fromMs: number, errors = 0): JourneyStop => ({
  replayId: idOf(id),
  href: `/acme/replays/${id}`,
  startedAt: now + fromMs,
  endedAt: now + fromMs + durationMs,
  path: id === 3 ? `/${longName}` : '/checkout',
  errors,
})
const stops = [stop(1, 0), stop(2, minuteMs, 3), stop(3, 30 * minuteMs)]

export const replay: Room = {
  folder: 'ui/replay',
  exhibits: [
    exhibit('ReplayTable', ReplayTable, {
      empty: <ReplayTable rows={[]} now={now} sorts={sorts} />,
      one: <ReplayTable rows={[replayRow(1)]} now={now} sorts={sorts} />,
      many: (
        <ReplayTable
          rows={[
            replayRow(1, { errors: 12, rageClicks: 3, deadClicks: 2, activity: 10 }),
            replayRow(2, { user: nobody, activity: 0, browser: '', os: '', release: '' }),
            replayRow(3, { missingSegments: [4, 5], urls: [] }),
            replayRow(4, {
              user: { ...nobody, name: longName },
              release: longName,
              urls: Array.from({ length: 9 }, (_, at) => `https://shop.example/${at}-${longName}`),
            }),
          ]}
          now={now}
          sorts={sorts}
        />
      ),
    }),
    exhibit('Journey', Journey, {
      'one replay is none': <Journey stops={stops.slice(0, 1)} here={idOf(1)} />,
      many: <Journey stops={stops} here={idOf(2)} />,
    }),
    exhibit('ReplayClip', ReplayClip, { 'not asked for': <ReplayClip path="/acme/replays/drawn" {...clip} /> }),
    exhibit('DomChange', DomChange, { 'not asked for': <DomChange href="/acme/replays/drawn/dom" /> }),
    exhibit('DomDiff', DomDiff, {
      loading: <DomDiff href="/acme/replays/slow/dom" />,
      read: <DomDiff href="/acme/replays/drawn/dom" />,
      'nothing changed': <DomDiff href="/acme/replays/empty/dom" />,
      gone: <DomDiff href="/acme/replays/gone/dom" />,
      failed: <DomDiff href="/acme/replays/failing/dom" />,
    }),
  ],
}

export const player: Room = {
  folder: 'ui/replay/player',
  exhibits: [
    exhibit('ReplayScreen', ReplayScreen, {
      'with a picture': <ReplayScreen data={data('drawn')}>Facts of the replay</ReplayScreen>,
      'with missing segments': <ReplayScreen data={data('drawn', [3, 4, 7])}>Facts of the replay</ReplayScreen>,
    }),
    exhibit('Stage', Stage, {
      loading: <StageOf name="slow" />,
      ready: <StageOf name="drawn" />,
      'ready, with images': <StageOf name="drawn" loadsImages />,
      empty: <StageOf name="empty" />,
      failed: <StageOf name="failing" />,
    }),
    exhibit('ClipPlayer', ClipPlayer, { ready: <ClipPlayer path="/acme/replays/drawn" {...clip} /> }),
    exhibit('Controls', Controls, {
      paused: controls(),
      playing: controls({ isPlaying: true, isSkipping: true, speed: 8 }),
      'not ready': controls({ isReady: false, at: 0 }),
      'without errors': controls({ errors: [], skipsIdle: false }),
      'after the last error': controls({ at: 90_000 }),
    }),
    exhibit('Lanes', Lanes, {
      empty: lanes(0, true),
      'half loaded': lanes(durationMs / 2),
      loaded: lanes(durationMs),
    }),
    exhibit('ServerWork', ServerWork, {
      none: <ServerWork path="/acme/replays/drawn" tracesPath="/acme/traces" servers={[]} at={0} />,
      loaded: <ServerWork path="/acme/replays/drawn" tracesPath="/acme/traces" servers={servers} at={42_000} />,
      'without spans': <ServerWork path="/acme/replays/empty" tracesPath="/acme/traces" servers={servers} at={0} />,
    }),
    exhibit('SyncTabs', SyncTabs, {
      none: syncTabs([]),
      empty: syncTabs(tabs.slice(1, 2)),
      many: syncTabs(tabs),
      'with a chart': syncTabs(tabs.slice(2)),
    }),
    exhibit('SyncList', SyncList, {
      'before the first': syncList(syncRows, -1),
      'in the middle': syncList(syncRows, 6),
      one: syncList(syncRows.slice(0, 1), 0),
    }),
    exhibit('AmountChart', AmountChart, {
      'too few': <AmountChart rows={memoryRows.slice(0, 1)} durationMs={durationMs} at={0} />,
      many: <AmountChart rows={memoryRows} durationMs={durationMs} at={42_000} />,
    }),
  ],
}
