import type { Viewer } from '#queries/viewer.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { ranges } from '../ranges.ts'
import { type IssueParams, issuesHref } from './search-params.ts'

type Props = { viewer: Viewer; params: IssueParams; reason: 'fresh' | 'filter' | 'end' | 'fault' }

/** An empty list says why it is empty and what the next step is. */
export function NoIssues({ viewer, params, reason }: Props) {
  const { slug } = viewer.organization
  const go = (label: string, change: Partial<IssueParams>, look = 'btn') => (
    <Link className={look} href={issuesHref(slug, params, change)}>
      {label}
    </Link>
  )
  if (reason === 'end')
    return (
      <Blank title="No more issues" actions={go('First page', {})}>
        The list ends before this page.
      </Blank>
    )
  if (reason === 'fault')
    return (
      <Blank title="This search cannot be asked" actions={go('Unresolved issues', { q: 'is:unresolved' })}>
        What is wrong stands under the search. What you typed is still there.
      </Blank>
    )
  if (reason === 'fresh') return <Fresh viewer={viewer} />
  const isLongest = params.range === '90d'
  return (
    <Blank
      title={`Nothing matches in the ${ranges[params.range].label.toLowerCase()}`}
      actions={
        <>
          {isLongest
            ? null
            : go(
                params.range === '30d' ? 'Look at 90 days' : 'Look at 30 days',
                { range: params.range === '30d' ? '90d' : '30d' },
                'btn primary',
              )}
          {params.q === '' ? null : go('Without the search', { q: '' })}
          {params.environment ? go('All environments', { environment: undefined }) : null}
        </>
      }
    >
      {params.q === 'is:unresolved'
        ? 'No unresolved issue was seen in this time.'
        : `No issue matches ${params.q.slice(0, 200)}.`}
    </Blank>
  )
}

function Fresh({ viewer }: { viewer: Viewer }) {
  const base = `/${viewer.organization.slug}`
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  return (
    <Blank
      title="No issues yet"
      actions={
        <Link className="btn primary" href={first ? `${base}/projects/${first.slug}` : `${base}/projects`}>
          {first ? `Connect ${first.slug}` : 'Create a project'}
        </Link>
      }
    >
      Errors become issues here as soon as an app sends them.
    </Blank>
  )
}
