import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { EventBars } from '#ui/issue/event-bars.tsx'
import { Link } from '#ui/link.tsx'
import type { LoadedIssue } from './load-issue.ts'
import type { IssueAddress } from './search-params.ts'

type Props = { loaded: LoadedIssue; address: IssueAddress; path: string; isPeek?: boolean }

export async function IssueChart({ loaded, address, path, isPeek = false }: Props) {
  const bars = await loaded.bars
  if (!bars.ok) return <FailedPanel what="Events over time" reference={bars.reference} />
  const { from, to, releases } = bars.value
  const marks = releases.map(({ release, firstSeen }) => ({ release, at: firstSeen })).filter(({ at }) => at > from)
  return (
    <>
      <EventBars bars={bars.value} marks={marks} path={path} search={address.search} hasTable={!isPeek} />
      {address.isNarrowed && !isPeek ? (
        <p className="narrowed">
          Only events {address.filter.from ? `from ${formatMoment(from)} to ${formatMoment(to)}` : 'that match'}.{' '}
          <Link className="link" href={path}>
            Show all
          </Link>
        </p>
      ) : null}
    </>
  )
}
