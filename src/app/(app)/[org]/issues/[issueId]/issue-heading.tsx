import type { Issue } from '#queries/find-issue.ts'
import { Level } from '#ui/level.tsx'
import { shorten } from '#ui/shorten.ts'
import { splitTitle } from '#ui/split-title.ts'

const maxTitle = 500

export function IssueHeading({ issue }: { issue: Issue }) {
  const { type, message } = splitTitle(shorten(issue.title, maxTitle))
  return (
    <header className="ihdr">
      <div className="kind">
        <Level level={issue.level} />
        {message ? (
          <span className={issue.level === 'error' || issue.level === 'fatal' ? 'bad' : ''}>{type}</span>
        ) : (
          <span>{issue.level}</span>
        )}
      </div>
      <h1 className="break-words">{message || type}</h1>
      <div className="where">
        <span className="mono">{shorten(issue.culprit, maxTitle)}</span>
        <span>{issue.projectSlug}</span>
      </div>
    </header>
  )
}
