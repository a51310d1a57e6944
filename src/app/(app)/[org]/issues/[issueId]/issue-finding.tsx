import type { Clause } from '#domain/findings/clause.ts'
import { formatSearch } from '#search/search-term.ts'
import { FindingLine } from '#ui/finding/finding-line.tsx'
import { rangeHref } from '#ui/issue/range-href.ts'
import { releaseHref } from '#web/release-href.ts'
import type { LoadedIssue } from './load-issue.ts'

/** What changed and for whom. It is left out if nothing stands out, and if it could not be computed: the page says the rest. */
export async function IssueFinding({ loaded }: { loaded: LoadedIssue }) {
  const found = await loaded.finding
  if (!found?.ok) return null
  return <FindingLine finding={found.value} hrefOf={clause => evidenceHref(loaded, clause)} />
}

function evidenceHref({ viewer, issue }: LoadedIssue, { evidence }: Clause): string {
  const { slug } = viewer.organization
  const path = `/${slug}/issues/${issue.id}/events/latest`
  switch (evidence.kind) {
    case 'events': {
      const { key, value, isNegated } = evidence
      const term = { kind: 'field' as const, key, isNegated, comparison: '=' as const, values: [{ parts: [value] }] }
      return `${path}?${new URLSearchParams({ query: formatSearch([term]) })}`
    }
    case 'range':
      return rangeHref(path, '', evidence.from, evidence.to)
    case 'release':
      return releaseHref(slug, evidence.version)
    case 'section':
      return `${path}#${evidence.id}`
    default:
      return path
  }
}
