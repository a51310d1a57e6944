import { showHidden } from '../show-hidden.ts'
import { splitRoute } from './split-route.ts'

/** A route's pattern; what stands for many addresses is set apart. */
export function RouteName({ route }: { route: string }) {
  const parts = splitRoute(route)
  return (
    <span className="rname">
      {parts.map((part, index) => (index % 2 === 1 ? <em key={index}>{showHidden(part)}</em> : showHidden(part)))}
    </span>
  )
}
