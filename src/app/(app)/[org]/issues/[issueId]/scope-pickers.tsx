import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { EnvironmentPicker, TimePicker } from '../../pickers.tsx'
import { ReleasePicker } from '../../release-picker.tsx'
import { EventSearch } from '../../search/event-search.tsx'
import styles from './scope.module.css'
import { type IssueScope, issueHref, scopeParams } from './search-params.ts'

type Props = { viewer: Viewer; issue: Issue; scope: IssueScope; rest: string }

/** Environment and time of the events that the page counts and shows. */
export function ScopePickers({ viewer, issue, scope, rest }: Props) {
  const href = (change: Partial<IssueScope>) =>
    issueHref(viewer.organization.slug, issue.id, { ...scope, ...change }, rest)
  return (
    <div className="pickers">
      <EnvironmentPicker viewer={viewer} value={scope.environment} href={environment => href({ environment })} />
      <ReleasePicker
        viewer={viewer}
        projectIds={[issue.projectId]}
        search={{ text: scope.query, language: 'events', href: query => href({ query }) }}
      />
      <TimePicker
        value={scope.span ?? scope.range}
        href={range => href({ range, span: undefined })}
        spanHref={href({ span: { from: 1, to: 2 }, range: undefined })}
        allLabel="All time"
      />
    </div>
  )
}

/** A search among the events. On a phone it only shows up while it narrows the page. */
export function ScopeSearch({ viewer, issue, scope, rest }: Props) {
  const path = `/${viewer.organization.slug}/issues/${issue.id}${rest}`
  return (
    <div className={scope.query ? 'query' : `query ${styles.search}`}>
      <EventSearch
        key={scope.query}
        organizationSlug={viewer.organization.slug}
        target={{ path, parameter: 'query' }}
        typed={scope.query}
        hiddenFields={scopeParams({ ...scope, query: '' })}
      />
    </div>
  )
}
