import type { Clause } from '#domain/findings/clause.ts'
import { FindingLine, ShortFinding } from '#ui/finding/finding-line.tsx'
import { Brush } from '#ui/issue/brush.tsx'
import { CopyEvent } from '#ui/issue/copy-event.tsx'
import { EventBars } from '#ui/issue/event-bars.tsx'
import { TagShares } from '#ui/issue/tag-shares.tsx'
import { IssueRow, type IssueRowData, Spark } from '#ui/issue-list/issue-row.tsx'
import { DiffPanes, HydrationDiff } from '#ui/react/hydration-diff.tsx'
import { Evidence, RolloutChart } from '#ui/react/rollout-chart.tsx'
import { Forced } from '../forced.tsx'
import { exhibit, type Room } from '../states.tsx'
import { counts, dayMs, hourMs, longName, longText, minuteMs, now, oddText } from './words.ts'

const typical: IssueRowData = {
  id: 42,
  href: '/acme/issues/42',
  shortId: 'WEB-42',
  title: 'TypeError: Cannot read properties of undefined (reading ‘currency’)',
  culprit: '/checkout/[id]',
  level: 'error',
  status: 'unresolved',
  substatus: 'ongoing',
  timesUsual: 0,
  side: 'browser',
  isUnhandled: true,
  isSeen: false,
  events: 4_812,
  users: 311,
  areEventsEstimated: false,
  areUsersEstimated: false,
  bars: counts(24, 90),
  firstSeen: now - 9 * dayMs,
  lastSeen: now - 4 * minuteMs,
  lastRelease: 'web@1.4.0',
  assignee: null,
}
type Change = Partial<IssueRowData>
const issueRow = (change: Change = {}, { isSelected = false, isLeaving = false } = {}) => (
  <div className="ilist">
    <ul aria-label="Issues">
      <IssueRow
        issue={{ ...typical, ...change }}
        now={now}
        range="24 h"
        isSelected={isSelected}
        isLeaving={isLeaving}
        onSelect={() => {}}
        link={null}
      />
    </ul>
  </div>
)

export const issueList: Room = {
  folder: 'ui/issue-list',
  exhibits: [
    exhibit('IssueRow', IssueRow, {
      ongoing: issueRow(),
      new: issueRow({ substatus: 'new', firstSeen: now - minuteMs }),
      regressed: issueRow({ substatus: 'regressed', side: 'server' }),
      escalating: issueRow({ substatus: 'escalating', timesUsual: 12, level: 'fatal' }),
      resolved: issueRow({ status: 'resolved', level: 'warning' }),
      archived: issueRow({ status: 'archived', isUnhandled: false, side: 'both' }),
      seen: issueRow({ isSeen: true, assignee: { name: 'Ada Lovelace', initials: 'AL' } }),
      selected: issueRow({}, { isSelected: true }),
      'waiting for the server': issueRow({}, { isLeaving: true }),
      hovered: (
        <Forced as=":hover" on="li">
          {issueRow()}
        </Forced>
      ),
      focused: (
        <Forced as=":focus-visible" on="a">
          {issueRow()}
        </Forced>
      ),
      'no events in the range': issueRow({ events: 0, users: 0, bars: counts(24, 0), lastRelease: '', side: '' }),
      'estimated users': issueRow({ events: 48_120_000, users: 1_200_000, areUsersEstimated: true }),
      long: issueRow({
        title: `${longName}: ${longText}`,
        culprit: longName,
        lastRelease: longName,
        assignee: { name: longName, initials: 'WW' },
      }),
      odd: issueRow({ title: oddText, culprit: oddText, lastRelease: oddText }),
    }),
    exhibit(
      'Spark',
      Spark,
      {
        empty: <Spark bars={counts(24, 0)} isHot={false} label="0 events" />,
        many: <Spark bars={counts(24, 90)} isHot={false} label="many events" />,
        escalating: <Spark bars={[...counts(23, 9), 90]} isHot label="many more events" />,
      },
      'row',
    ),
  ],
}

const bars = 48
const day = { from: now - (now % hourMs) - dayMs, to: now - (now % hourMs), stepMs: dayMs / bars }
const deploys = [
  { release: 'web@1.3.9', at: day.from + 5 * hourMs },
  { release: longName, at: day.from + 20 * hourMs },
]
const facts = [{ label: 'Release', value: 'web@1.4.0' }]
const share = (key: string, values: [string, number, number | null][], more = 0) => ({
  key,
  values: values.map(([value, part, usual]) => ({ value, share: part, usual })),
  more,
})
const shares = [
  share('browser', [
    ['Chrome 156', 0.92, 0.31],
    ['Firefox 150', 0.08, 0.2],
  ]),
  share(
    'release',
    [
      ['web@1.4.0', 0.995, null],
      ['web@1.3.9', 0.005, null],
    ],
    1_204,
  ),
  share(longName, [[longText, 1, 1]]),
]
const tagShares = (list: typeof shares, isOne = false) => (
  <TagShares shares={list} href={() => '?tag'} issuesHref={() => '/acme/issues'} isOne={isOne} />
)

export const issue: Room = {
  folder: 'ui/issue',
  exhibits: [
    exhibit('EventBars', EventBars, {
      empty: <EventBars bars={{ ...day, counts: counts(bars, 0) }} marks={[]} />,
      one: <EventBars bars={{ ...day, counts: counts(bars, 0).map((_, at) => (at === 30 ? 1 : 0)) }} marks={[]} />,
      'many, with deploys and a brush': (
        <EventBars bars={{ ...day, counts: counts(bars, 840) }} marks={deploys} path="/acme/issues/42" />
      ),
      'without its table': <EventBars bars={{ ...day, counts: counts(bars, 840) }} marks={[]} hasTable={false} />,
    }),
    exhibit('Brush', Brush, {
      'ready for a drag': (
        <div style={{ position: 'relative', height: 84 }}>
          <Brush {...day} path="/acme/issues/42" search="" />
        </div>
      ),
    }),
    exhibit('TagShares', TagShares, {
      none: tagShares([]),
      one: tagShares(shares.slice(0, 1), true),
      many: tagShares(shares),
    }),
    exhibit('CopyEvent', CopyEvent, {
      ready: <CopyEvent title="TypeError" facts={facts} stack="at pay (cart.ts:1)" />,
    }),
  ],
}

const clause = (tone: Clause['tone'], parts: Clause['parts'], kind: string): Clause => ({
  kind,
  aspect: 'change',
  facet: kind,
  rank: 1,
  strength: 1,
  parts,
  evidence: { kind: 'section', id: 'stack' },
  tone,
})
const worse = clause(
  'worse',
  [{ kind: 'times', value: 4.2 }, ' as many events since ', { kind: 'name', name: 'web@1.4.0' }],
  'release',
)
const better = clause('better', ['fewer than before, ', { kind: 'rate', value: 0.004 }], 'rate')
const neutral = clause('neutral', [{ kind: 'share', value: 0.92, isApproximate: true }, ' on Chrome'], 'browser')
const long = clause('worse', ['begun with ', { kind: 'name', name: longName }], 'long')
const hrefOf = () => '#stack'

export const finding: Room = {
  folder: 'ui/finding',
  exhibits: [
    exhibit('FindingLine', FindingLine, {
      none: <FindingLine finding={[]} hrefOf={hrefOf} />,
      worse: <FindingLine finding={[worse]} hrefOf={hrefOf} />,
      better: <FindingLine finding={[better]} hrefOf={hrefOf} />,
      'two clauses': <FindingLine finding={[worse, neutral]} hrefOf={hrefOf} />,
      long: <FindingLine finding={[long]} hrefOf={hrefOf} />,
    }),
    exhibit('ShortFinding', ShortFinding, {
      none: <ShortFinding finding={[]} />,
      worse: <ShortFinding finding={[worse, neutral]} />,
      better: <ShortFinding finding={[better]} />,
      neutral: <ShortFinding finding={[neutral]} />,
      long: <ShortFinding finding={[long]} />,
    }),
  ],
}

const server = '<div class="price"><span>12.00 €</span><time>2026-03-14</time></div>'
const client = '<div class="price"><span>$12.00</span><time>2026-03-13</time><b>new</b></div>'
const pane = (title: string, side: 'server' | 'browser', lines: readonly string[]) => ({
  title,
  side,
  lines,
  label: title,
})

export const react: Room = {
  folder: 'ui/react',
  exhibits: [
    exhibit('HydrationDiff', HydrationDiff, {
      same: <HydrationDiff server={server} client={server} />,
      different: <HydrationDiff server={server} client={client} />,
      'one side empty': <HydrationDiff server={server} client="" />,
      long: <HydrationDiff server={`<p>${longText}</p>`} client={`<p>${longName}</p>`} />,
    }),
    exhibit('DiffPanes', DiffPanes, {
      'from line 120': (
        <DiffPanes
          firstLine={120}
          left={pane('Page before', 'server', ['<main>', '  <p>Hello</p>', '</main>'])}
          right={pane('Page after', 'browser', ['<main>', '  <p>Hello, Ada</p>', '</main>'])}
        />
      ),
    }),
    exhibit('RolloutChart', RolloutChart, {
      empty: (
        <RolloutChart
          rollout={{ ...day, old: counts(bars, 0), fresh: counts(bars, 0), failures: counts(bars, 0), deploys: [] }}
          release="web@1.3.9"
        />
      ),
      'a deploy with failures': (
        <RolloutChart
          rollout={{
            ...day,
            old: counts(bars, 300).map((count, at) => (at > 30 ? Math.round(count / (at - 29)) : count)),
            fresh: counts(bars, 300).map((count, at) => (at > 30 ? count : 0)),
            failures: counts(bars, 0).map((_, at) => (at > 30 && at < 40 ? 40 - at : 0)),
            deploys: [{ version: 'web@1.4.0', at: day.from + 15 * hourMs }],
          }}
          release="web@1.3.9"
        />
      ),
    }),
    exhibit('Evidence', Evidence, {
      none: <Evidence checks={[]} />,
      some: (
        <Evidence
          checks={[
            { text: 'The server and the browser are in different time zones', fits: true },
            { text: 'A browser extension changed the page', fits: false },
          ]}
        />
      ),
      long: <Evidence checks={[{ text: longText, fits: true }]} />,
    }),
  ],
}
