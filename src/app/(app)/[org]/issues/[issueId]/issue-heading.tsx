import { Level } from '#ui/level.tsx'
import { shorten } from '#ui/shorten.ts'
import { splitTitle } from '#ui/split-title.ts'
import { Wire } from '#ui/wire.tsx'
import { actionProps } from './action-props.ts'
import { IssueActions } from './issue-actions.tsx'
import { IssueBadges } from './issue-badges.tsx'
import type { LoadedIssue } from './load-issue.ts'
import { mayWrite } from './may-write.ts'

const maxTitle = 500

/** What the issue is, what state it is in, and what can be done with it. */
export function IssueHeading({ loaded, isPeek = false }: { loaded: LoadedIssue; isPeek?: boolean }) {
  const { issue, state, viewer } = loaded
  const { type, message } = splitTitle(shorten(issue.title, maxTitle))
  const isBad = issue.level === 'error' || issue.level === 'fatal'
  const Title = isPeek ? 'h2' : 'h1'
  return (
    <header className="ihdr">
      <div className="kind">
        <Level level={issue.level} />
        <span className={isBad && message ? 'bad' : ''}>{message ? type : issue.level}</span>
        <IssueBadges state={state} />
      </div>
      <Title className="title">{message || type}</Title>
      <div className="where">
        <Wire place={state.place} hasWord />
        {issue.culprit ? <span className="mono">{shorten(issue.culprit, maxTitle)}</span> : null}
        <span>{issue.projectSlug}</span>
        <span className="mono t3">{issue.shortId}</span>
      </div>
      {mayWrite(viewer) && !isPeek ? <IssueActions {...actionProps(loaded)} hasKeys /> : null}
    </header>
  )
}
