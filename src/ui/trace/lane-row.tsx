// biome-ignore-all lint/a11y/useSemanticElements: a table can't be virtualized, so roles describe the tree grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row with aria-activedescendant
import { Wire } from '../wire.tsx'
import type { Lane } from './trace-columns.ts'

/** Names the side and the process of the rows below it. */
export function LaneRow({ lane, index }: { lane: Lane | undefined; index: number }) {
  return (
    <div role="row" className="lane" aria-rowindex={index + 1}>
      <div role="gridcell">
        <Wire side={lane?.side ?? ''} hasWord />
        <span className="t3 cut">{lane?.note}</span>
      </div>
    </div>
  )
}
