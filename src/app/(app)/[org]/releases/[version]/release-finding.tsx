import type { Clause, Finding } from '#domain/findings/clause.ts'
import { describeRelease } from '#domain/findings/release/describe-release.ts'
import { FindingLine } from '#ui/finding/finding-line.tsx'
import { Level } from '#ui/level.tsx'
import { shorten } from '#ui/shorten.ts'
import { releaseHref } from '#web/release-href.ts'
import type { LoadedRelease } from './load-release.ts'

const findingOf = ({ comparison, issues }: LoadedRelease): Finding =>
  comparison.ok ? describeRelease(comparison.value, { list: issues.new, count: issues.newCount }) : []

/** Worse or better than the release before it; nothing if neither is sure. */
export function ReleaseVerdict({ loaded }: { loaded: LoadedRelease }) {
  const change = findingOf(loaded).find(({ aspect }) => aspect === 'change')
  const previous = loaded.comparison.ok ? loaded.comparison.value.previous : null
  if (!change || !previous || change.tone === 'neutral') return null
  const isWorse = change.tone === 'worse'
  return (
    <div className="kind">
      <Level level={isWorse ? 'error' : 'ok'} />
      <span className={isWorse ? 'bad' : ''}>
        {isWorse ? 'Worse' : 'Better'} than <span className="mono">{shorten(previous.version, 60)}</span>
      </span>
    </div>
  )
}

/** What the release changed, and which new issues it brought. */
export function ReleaseFinding({ loaded }: { loaded: LoadedRelease }) {
  return <FindingLine finding={findingOf(loaded)} hrefOf={clause => evidenceHref(loaded, clause)} />
}

/** The evidence is on the same page: numbers by route, web vitals, new issues. */
function evidenceHref({ viewer, release }: LoadedRelease, { evidence }: Clause): string {
  const section =
    evidence.kind === 'section' && evidence.id === 'new'
      ? 'new'
      : evidence.kind === 'chart' && evidence.measure !== 'request'
        ? 'vitals'
        : 'routes'
  return `${releaseHref(viewer.organization.slug, release.version)}#${section}`
}
