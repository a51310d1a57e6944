import { Suspense } from 'react'
import type { Clause } from '#domain/findings/clause.ts'
import { FindingLine } from '#ui/finding/finding-line.tsx'
import { releaseHref } from '#web/release-href.ts'
import styles from './issue-finding.module.css'
import type { IssueGist } from './load-issue.ts'
import { type IssueAddress, issueHref, withTerm } from './search-params.ts'

type Props = { loaded: IssueGist; address: IssueAddress }

/** What changed and for whom. It is left out if nothing stands out, and if it could not be computed: the page says the rest. */
export async function IssueFinding({ loaded, address }: Props) {
  const found = await loaded.finding
  if (!found?.ok) return null
  return <FindingLine finding={found.value} hrefOf={clause => evidenceHref(loaded, address, clause)} />
}

/** On a page, where it is computed after the stack is sent: in a place that is there before. */
export function LateFinding(props: Props) {
  if (props.loaded.finding === null) return null
  return (
    <div className={styles.place}>
      <Suspense>
        <IssueFinding {...props} />
      </Suspense>
    </div>
  )
}

function evidenceHref({ viewer, issue }: IssueGist, { scope }: IssueAddress, { evidence }: Clause): string {
  const { slug } = viewer.organization
  // The address without an event would open as a peek beside this page.
  const shown = '/events/recommended'
  switch (evidence.kind) {
    case 'events':
      return issueHref(slug, issue.id, withTerm(scope, evidence.key, evidence.value, evidence.isNegated), '/events')
    case 'range':
      return issueHref(
        slug,
        issue.id,
        { ...scope, range: undefined, span: { from: evidence.from, to: evidence.to } },
        shown,
      )
    case 'release':
      return releaseHref(slug, evidence.version)
    case 'section':
      return `${issueHref(slug, issue.id, scope, '/events/latest')}#${evidence.id}`
    default:
      return issueHref(slug, issue.id, scope, shown)
  }
}
