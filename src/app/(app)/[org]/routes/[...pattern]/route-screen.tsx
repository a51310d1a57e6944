import type { Route } from '#queries/route-list/find-route.ts'
import type { RouteFilter } from '#queries/route-list/route-filter.ts'
import type { Viewer } from '#queries/viewer.ts'
import { Panel } from '../../../../panel.tsx'
import type { RouteParams } from '../search-params.ts'
import { ActionList } from './action-list.tsx'
import { CourseSection } from './course-section.tsx'
import { DeviceTable } from './device-table.tsx'
import { FailureList } from './failure-list.tsx'
import { FrameList } from './frame-list.tsx'
import { NavigationLife } from './navigation-life.tsx'
import { ReleaseTable } from './release-table.tsx'
import { RouteHeading } from './route-heading.tsx'
import { ServerWorkList } from './server-work-list.tsx'
import { VitalCards } from './vital-cards.tsx'

export type RouteView = { viewer: Viewer; params: RouteParams; filter: RouteFilter; route: Route }

export function RouteScreen(view: RouteView) {
  return (
    <div className="main">
      <RouteHeading {...view} />
      <VitalCards {...view} />
      <div className="rgrid">
        <div>
          <Panel what="The course of time">
            <CourseSection {...view} />
          </Panel>
          <NavigationLife {...view} />
          <ReleaseTable {...view} />
          <DeviceTable {...view} />
        </div>
        <div>
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
        </div>
      </div>
    </div>
  )
}
