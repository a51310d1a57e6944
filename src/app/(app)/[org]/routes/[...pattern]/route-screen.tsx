import { Suspense } from 'react'
import { findRouteFinding } from '#domain/findings/route/find-route-finding.ts'
import { measureRoute } from '#domain/routes/measure-route.ts'
import { hasOnlyRequests } from '#domain/routes/summarize-route.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { LoadingLines } from '#ui/loading-lines.tsx'
import { Section } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { Panel } from '../../../../panel.tsx'
import { FullNote } from '../full-note.tsx'
import { PathList } from '../path-list.tsx'
import { FailureList, ReleaseTable } from './failure-list.tsx'
import { FunctionLists } from './function-lists.tsx'
import { NavigationLife } from './navigation-life.tsx'
import { RouteFinding } from './route-finding.tsx'
import { RouteHeading } from './route-heading.tsx'
import type { FirstScreen, RouteView } from './route-view.ts'
import { DeviceTable, TrendSection, VitalCards } from './vital-cards.tsx'
import { ActionList, FrameList, ServerWorkList } from './work-lists.tsx'

type Props = RouteView & Pick<FirstScreen, 'trend'>

/** The first screen at once; what failed and where time goes are other queries, and follow beside it. */
export function RouteScreen({ trend, ...view }: Props) {
  const { viewer, filter, route } = view
  const first: FirstScreen = {
    finding: attempt('route finding', findRouteFinding(viewer, filter, route)),
    trend: hasOnlyRequests(route.summary)
      ? attempt('route trend', measureRoute(viewer, filter, route.route, 'request'))
      : trend,
  }
  return (
    <div className="main">
      <RouteHeading {...view} />
      <Panel what="Finding">
        <RouteFinding {...view} finding={first.finding} />
      </Panel>
      {route.route === unmatchedRoute ? (
        <Section title="Paths" note="without a known route, last two days of this time range">
          <FullNote viewer={viewer} filter={filter} />
          <Panel what="Paths">
            <PathList viewer={viewer} filter={filter} kind="unmatched" />
          </Panel>
        </Section>
      ) : null}
      <VitalCards {...view} />
      <div className="rgrid">
        <div>
          <Panel what="Trend">
            <TrendSection {...view} trend={first.trend} />
          </Panel>
          <NavigationLife {...view} />
          <ReleaseTable {...view} />
          <DeviceTable {...view} />
        </div>
        <div>
          <Suspense fallback={<LoadingLines />}>
            <FailuresAndWork {...view} first={first} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

/** Asked for when the first screen has its answers: the engine has few cores, and all at once would make that one late. */
async function FailuresAndWork({ first, ...view }: RouteView & { first: FirstScreen }) {
  await Promise.all([first.finding, first.trend])
  return (
    <>
      <Panel what="Failures">
        <FailureList {...view} />
      </Panel>
      <Panel what="Server actions">
        <ActionList {...view} />
      </Panel>
      <Panel what="Server time">
        <ServerWorkList {...view} />
      </Panel>
      <Panel what="Long frames">
        <FrameList {...view} />
      </Panel>
      <Panel what="Profiles">
        <FunctionLists {...view} />
      </Panel>
    </>
  )
}
