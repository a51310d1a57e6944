import { IssueRow, type IssueRowData } from './issue-row.tsx'

/** Issues as a table for readers and screen readers alike; each row is one link. */
export function IssueList({ issues, now }: { issues: IssueRowData[]; now: number }) {
  return (
    <div className="ilist">
      <div className="ihead" aria-hidden="true">
        <span />
        <span>Issue</span>
        <span>Project</span>
        <span className="num">Events</span>
        <span className="num us">Users</span>
        <span className="num sorted">Last seen</span>
      </div>
      <ul aria-label="Issues, newest first">
        {issues.map(issue => (
          <li key={issue.id}>
            <IssueRow issue={issue} now={now} />
          </li>
        ))}
      </ul>
    </div>
  )
}
