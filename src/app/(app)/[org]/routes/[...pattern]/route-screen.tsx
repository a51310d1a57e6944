import { Panel } from '../../../../panel.tsx'
import { FailureList, ReleaseTable } from './failure-list.tsx'
import { FunctionLists } from './function-lists.tsx'
import { NavigationLife } from './navigation-life.tsx'
import { RouteFinding } from './route-finding.tsx'
import { RouteHeading } from './route-heading.tsx'
import type { RouteView } from './route-view.ts'
import { DeviceTable, TrendSection, VitalCards } from './vital-cards.tsx'
import { ActionList, FrameList, ServerWorkList } from './work-lists.tsx'

export function RouteScreen(view: RouteView) {
  return (
    <div className="main">
      <RouteHeading {...view} />
      <Panel what="Finding">
        <RouteFinding {...view} />
      </Panel>
      <VitalCards {...view} />
      <div className="rgrid">
        <div>
          <Panel what="Trend">
            <TrendSection {...view} />
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
          <Panel what="Profiles">
            <FunctionLists {...view} />
          </Panel>
        </div>
      </div>
    </div>
  )
}
