import { showHidden } from '../show-hidden.ts'

/** A route's pattern; what stands for many addresses is set apart. */
export function RouteName({ route }: { route: string }) {
  const parts = route.split(/(\[+[^/]*\]+)/)
  return (
    <span className="rname">
      {parts.map((part, index) => (index % 2 === 1 ? <em key={index}>{showHidden(part)}</em> : showHidden(part)))}
    </span>
  )
}
