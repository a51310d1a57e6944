import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'

/** Says why no event is shown. `href` is the page without the scope that leaves none. */
export function NoEvents({ isNarrowed, href }: { isNarrowed: boolean; href: string }) {
  if (!isNarrowed)
    return (
      <Blank title="No events stored">
        The events of this issue are older than the retention period. Only the counts remain.
      </Blank>
    )
  return (
    <Blank
      title="No matching events"
      actions={
        <Link className="btn" href={href}>
          Show all events
        </Link>
      }
    >
      Choose another environment, time or search to see events of this issue.
    </Blank>
  )
}
