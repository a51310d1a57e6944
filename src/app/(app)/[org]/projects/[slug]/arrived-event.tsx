import type { IssueSummary } from '#queries/issue-totals.ts'
import { Ago } from '#ui/ago.tsx'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { splitTitle } from '#ui/split-title.ts'

export function ArrivedEvent({ issue, href, now }: { issue: IssueSummary; href: string; now: number }) {
  const { type, message } = splitTitle(shorten(issue.title, 200))
  return (
    <Link className="hd" href={href}>
      <Level level={issue.level} />
      <span className="min-w-0">
        <span className="tl">{type}</span> <span>{message}</span>
        <span className="t3 flex gap-2.5 text-xs">
          <span>{issue.shortId}</span>
          <span className="mono cut">{shorten(issue.culprit, 120)}</span>
        </span>
      </span>
      <span className="r">
        <Ago at={issue.lastSeen} now={now} />
        <br />
        <span className="link">Open the issue</span>
      </span>
    </Link>
  )
}
