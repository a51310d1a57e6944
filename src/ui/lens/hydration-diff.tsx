import { ScrollRegion } from '../scroll-region.tsx'
import { showHidden } from '../show-hidden.ts'
import { Wire } from '../wire.tsx'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { formatHtml } from './format-html.ts'

type Props = { server: string; client: string }

/** The same place of a page as the server sent it and as the browser rendered it. Both are text here, whatever they hold. */
export function HydrationDiff({ server, client }: Props) {
  const rows = diffLines(formatHtml(server), formatHtml(client))
  return (
    <div className="diff">
      <div className="sv">
        <header>
          <b>Server sent</b>
          <span className="r">
            <Wire place="server" />
          </span>
        </header>
        <ScrollRegion className="code" label="What the server sent">
          {rows.map((row, index) => (
            <Line key={index} line={row.server} isChanged={row.isChanged} />
          ))}
        </ScrollRegion>
      </div>
      <div className="cl">
        <header>
          <b>Browser rendered</b>
          <span className="r">
            <Wire place="browser" />
          </span>
        </header>
        <ScrollRegion className="code" label="What the browser rendered">
          {rows.map((row, index) => (
            <Line key={index} line={row.client} isChanged={row.isChanged} />
          ))}
        </ScrollRegion>
      </div>
    </div>
  )
}

function Line({ line, isChanged }: { line: DiffLine | null; isChanged: boolean }) {
  if (line === null) return <div className="l none" aria-hidden="true" />
  return (
    <div className={isChanged ? 'l ch' : 'l'}>
      <i>{line.number}</i>
      <span>
        {showHidden(line.before)}
        {line.changed ? <mark>{showHidden(line.changed)}</mark> : null}
        {showHidden(line.after)}
      </span>
    </div>
  )
}
