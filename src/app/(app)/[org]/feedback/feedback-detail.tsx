import { ArrowLeft, CircleAlert, Download, ExternalLink, Mail } from 'lucide-react'
import type { Viewer } from '#domain/access/viewer.ts'
import { type Attachment, isPicture, listAttachments } from '#domain/events/list-attachments.ts'
import {
  findRelatedError,
  findReportReplay,
  listSimilar,
  type RelatedError,
  type ReportReplay,
} from '#domain/feedback/find-related.ts'
import { listReports, type Report } from '#domain/feedback/list-reports.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { formatAge, formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Picture } from '#ui/picture.tsx'
import { ReplayClip } from '#ui/replay/clip.tsx'
import { shorten, showHidden, splitTitle } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { attempt } from '#web/attempt.ts'
import { actionProps, mayWrite } from '../issues/[issueId]/action-props.ts'
import { IssueActions } from '../issues/[issueId]/issue-actions.tsx'
import { loadIssueHead, markSeenLater } from '../issues/[issueId]/load-issue.ts'
import styles from './feedback.module.css'
import { nameWriter, replyHref } from './name-writer.ts'
import { type FeedbackParams, feedbackHref } from './search-params.ts'
import { type ListedReport, SimilarReports } from './similar-reports.tsx'

const mostReports = 50

type Props = { viewer: Viewer; issue: Issue; params: FeedbackParams }

/** A message with what belongs to it: who wrote it, the error, the picture, the replay, and what others wrote about the same. */
export async function FeedbackDetail({ viewer, issue, params }: Props) {
  const { slug } = viewer.organization
  const [head, found] = await Promise.all([
    loadIssueHead(viewer, issue),
    attempt('feedback', listReports(viewer, [issue], { perGroup: mostReports, limit: mostReports })),
  ])
  markSeenLater(viewer, issue)
  const [report, ...others] = found.ok ? found.value : []
  const reply = report ? replyHref(report) : null
  return (
    <article aria-label={`Feedback ${issue.shortId}`}>
      <header className={styles.head}>
        <Link className={styles.back} href={feedbackHref(slug, params)}>
          <ArrowLeft className="i" aria-hidden="true" /> All feedback
        </Link>
        <Link className="mono t3" href={`/${slug}/issues/${issue.id}`}>
          {issue.shortId}
        </Link>
        <span className="t3">
          <Moment at={report?.at ?? issue.lastSeen} />
        </span>
        {head.state.status === 'unresolved' ? null : (
          <span className="badge">{head.state.status === 'archived' ? 'Spam' : 'Resolved'}</span>
        )}
        <span className={styles.acts}>
          {reply ? (
            <a className="btn" href={reply}>
              <Mail className="i" aria-hidden="true" /> Reply
            </a>
          ) : null}
          {mayWrite(viewer) ? <IssueActions {...actionProps(head)} isFeedback /> : null}
        </span>
      </header>
      {!found.ok ? <FailedPanel what="This message" reference={found.reference} /> : null}
      {found.ok && !report ? (
        <Blank title="This message has expired">Its text was deleted with the other events of its time.</Blank>
      ) : null}
      {report ? <Message viewer={viewer} issue={issue} report={report} others={others} /> : null}
    </article>
  )
}

type MessageProps = { viewer: Viewer; issue: Issue; report: Report; others: readonly Report[] }

async function Message({ viewer, issue, report, others }: MessageProps) {
  const { slug } = viewer.organization
  const [related, files, replay] = await Promise.all([
    attempt('related error', findRelatedError(viewer, report)),
    attempt('attachments', listAttachments(viewer, issue, report.eventId)),
    attempt('replay', findReportReplay(viewer, report)),
  ])
  const error = related.ok ? related.value : null
  const similar = await attempt('similar feedback', listSimilar(viewer, issue, error))
  const also: ListedReport[] = [
    ...others.map(({ eventId, name, email, message, at }) => ({
      id: eventId,
      who: nameWriter({ name, email }),
      message,
      at,
      href: null,
    })),
    ...(similar.ok ? similar.value : []).map(({ eventId, issueId, name, message, at }) => ({
      id: eventId,
      who: nameWriter({ name, email: '' }),
      message,
      at,
      href: `/${slug}/feedback/${issueId}`,
    })),
  ]
  return (
    <>
      {/* As text: what users write is never markup. */}
      <p className={styles.message}>{shorten(report.message, 10_000)}</p>
      <About report={report} />
      {error ? <ErrorLine error={error} slug={slug} /> : null}
      <div className={styles.two}>
        {files.ok ? <Files files={files.value} issue={issue} report={report} slug={slug} /> : null}
        {replay.ok && replay.value ? <Watched replay={replay.value} slug={slug} /> : null}
      </div>
      <SimilarReports reports={also} />
    </>
  )
}

const beforeMs = 20_000

/** What the user did before they wrote. */
function Watched({ replay: { replayId, startedAt, endedAt, at }, slug }: { replay: ReportReplay; slug: string }) {
  const path = `/${slug}/replays/${replayId}`
  return (
    <section aria-label="Replay">
      <h2 className="h">
        Replay <span className="t3">from 20 s before sending</span>
        <Link className="link r" href={`${path}?t=${Math.floor(Math.max(0, at - beforeMs) / 1_000)}`}>
          Open full replay
        </Link>
      </h2>
      <ReplayClip
        path={path}
        startedAt={startedAt}
        durationMs={Math.max(1, endedAt - startedAt, at)}
        at={at}
        beforeMs={beforeMs}
      />
    </section>
  )
}

function About({ report }: { report: Report }) {
  const { email, route, url, browser, os, release, environment } = report
  const isLink = /^https?:\/\//.test(url)
  return (
    <ul className={styles.about} aria-label="About this message">
      <li>
        <b>{nameWriter(report)}</b>
      </li>
      {email ? (
        <li>
          {shorten(email, 120)} <CopyButton text={email} label="Copy address" />
        </li>
      ) : null}
      {route ? <li className="mono">{showHidden(route)}</li> : null}
      {isLink ? (
        <li className="cut">
          <a className="link" href={url} target="_blank" rel="noreferrer noopener" title={showHidden(url)}>
            {shorten(url, 80)} <ExternalLink className="i i-s" aria-hidden="true" />
          </a>
        </li>
      ) : null}
      {browser || os ? <li>{shorten([browser, os].filter(Boolean).join(', '), 120)}</li> : null}
      {release ? <li className="mono">{shorten(release, 80)}</li> : null}
      {environment ? <li>{shorten(environment, 60)}</li> : null}
      <li>{sources[report.source] ?? 'sent by the app'}</li>
    </ul>
  )
}

const sources: Readonly<Record<string, string>> = {
  widget: 'from the feedback widget',
  user_report: 'from the crash report dialog',
}

function ErrorLine({ error, slug }: { error: RelatedError; slug: string }) {
  const { issue, beforeMs, isNamed } = error
  const { type, message } = splitTitle(shorten(issue.title, 200))
  const age = beforeMs === null ? '' : formatAge(beforeMs)
  const when = age === '' ? '' : age === 'now' ? ' right before' : ` ${age} earlier`
  return (
    <section className={styles.error} aria-label="The error">
      <CircleAlert className="i" aria-hidden="true" />
      <div>
        <b>
          {isNamed ? 'About this error' : 'An error'}
          {when}: {type}
        </b>
        <div className="t2">
          {message ? <>{message} </> : null}
          <Link className="link" href={`/${slug}/issues/${issue.id}/events/${error.eventId}`}>
            {issue.shortId}
          </Link>
          , {formatMany(issue.eventCount, 'event')}
          {issue.userCount > 0 ? `, ${formatMany(issue.userCount, 'user')}` : ''}
        </div>
      </div>
    </section>
  )
}

type FilesProps = { files: readonly Attachment[]; issue: Issue; report: Report; slug: string }

/** Pictures are shown if they are that by their own bytes; everything else is only offered for download. */
function Files({ files, issue, report, slug }: FilesProps) {
  if (files.length === 0) return null
  return files.slice(0, 10).map(file => (
    <section key={file.name}>
      <h2 className="h">
        {isPicture(file) ? 'Screenshot' : 'Attachment'}
        <a
          className="link r"
          href={`/${slug}/issues/${issue.id}/events/${report.eventId}/attachments/${file.name}`}
          download
        >
          <Download className="i i-s" aria-hidden="true" /> Download {shorten(file.filename, 60)}
        </a>
      </h2>
      {isPicture(file) ? (
        <Picture
          src={`/${slug}/issues/${issue.id}/events/${report.eventId}/pictures/${file.name}`}
          alt="What the user saw"
        />
      ) : null}
    </section>
  ))
}
