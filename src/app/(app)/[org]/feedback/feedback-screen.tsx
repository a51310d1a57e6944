import type { ReactNode } from 'react'
import { hasProjects } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type FeedbackPage, type FeedbackView, feedbackViews, listFeedback } from '#domain/feedback/list-feedback.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { IgnoredNote } from '../ignored-note.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { Pickers } from '../pickers.tsx'
import { IssueSearch } from '../search/issue-search.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import styles from './feedback.module.css'
import { FeedbackList } from './feedback-list.tsx'
import { type FeedbackParams, feedbackHref, keptParams, readFeedbackFilter } from './search-params.ts'

const labels: Record<FeedbackView, string> = {
  inbox: 'Inbox',
  unread: 'Unread',
  mine: 'Mine',
  resolved: 'Resolved',
  spam: 'Spam',
}

type Props = { viewer: Viewer; params: FeedbackParams; openId?: number; children?: ReactNode }

/** The list, and beside it the message that is open. */
export async function FeedbackScreen({ viewer, params, openId, children }: Props) {
  const { slug } = viewer.organization
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={slug} kind="Project" name={params.projects.join(', ')} />
  const filter = readFeedbackFilter(viewer, params)
  const found = filter === null ? null : await attempt('feedback', listFeedback(viewer, filter))
  const page = found?.ok ? found.value : null
  return (
    <>
      <TopBar actions={<Pickers viewer={viewer} params={params} href={change => feedbackHref(slug, params, change)} />}>
        <h1>Feedback</h1>
        <Views viewer={viewer} params={params} counts={page?.counts ?? null} />
      </TopBar>
      <IgnoredNote viewer={viewer} params={params} />
      <div className="query">
        <IssueSearch
          key={params.q}
          organizationSlug={slug}
          target={{ path: `/${slug}/feedback`, parameter: 'q', label: 'Search feedback' }}
          typed={params.q}
          hiddenFields={keptParams(params)}
          found={page?.total ?? null}
        />
      </div>
      <div className={styles.panes} data-open={openId !== undefined}>
        <div className={styles.list}>
          {filter === null ? (
            <Blank title="This search has an error">See the note under the search box.</Blank>
          ) : page === null ? (
            <FailedPanel what="Feedback" reference={found?.ok === false ? found.reference : ''} />
          ) : (
            <Listed viewer={viewer} params={params} page={page} openId={openId} />
          )}
        </div>
        <div className={styles.detail}>
          {children ?? (
            <p className={styles.hint}>{page && page.rows.length > 0 ? 'Choose a message to read it here.' : null}</p>
          )}
        </div>
      </div>
    </>
  )
}

type ViewsProps = { viewer: Viewer; params: FeedbackParams; counts: FeedbackPage['counts'] | null }

/** Counts only where somebody has to act. */
const counted = new Set<FeedbackView>(['inbox', 'unread', 'mine', 'spam'])

function Views({ viewer, params, counts }: ViewsProps) {
  const organizationSlug = viewer.organization.slug
  return (
    <nav className="views" aria-label="Views">
      {feedbackViews.map(view => (
        <Link
          key={view}
          href={feedbackHref(organizationSlug, params, { view })}
          aria-current={params.view === view ? 'page' : undefined}
        >
          {labels[view]}
          {counts && counted.has(view) && counts[view] > 0 ? (
            <span className="n">{formatCount(counts[view])}</span>
          ) : null}
        </Link>
      ))}
      <SavedViews viewer={viewer} list="feedback" href={feedbackHref(organizationSlug, params)} />
    </nav>
  )
}

type ListedProps = { viewer: Viewer; params: FeedbackParams; page: FeedbackPage; openId: number | undefined }

function Listed({ viewer, params, page, openId }: ListedProps) {
  const { slug } = viewer.organization
  if (page.rows.length > 0)
    return <FeedbackList organizationSlug={slug} params={params} page={page} openId={openId} now={viewer.now} />
  const isFirst = params.q === '' && Object.values(page.counts).every(count => count === 0)
  if (isFirst)
    return (
      <Blank title="No feedback yet">
        The feedback widget of the SDK (feedbackIntegration), Sentry.captureFeedback and the crash report dialog
        (showReportDialog) send what users write to this page.
      </Blank>
    )
  return (
    <Blank
      title={params.q === '' ? `Nothing in ${labels[params.view].toLowerCase()}` : 'No message matches this search'}
      actions={
        params.view === 'inbox' && params.q === '' ? null : (
          <Link className="btn" href={feedbackHref(slug, params, { view: 'inbox', q: '' })}>
            Show the inbox
          </Link>
        )
      }
    >
      {params.view === 'inbox' && params.q === '' ? 'Everything in this time has been answered or put away.' : null}
    </Blank>
  )
}
