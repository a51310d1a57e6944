import type { FilteredExample } from '#queries/list-filtered-examples.ts'
import { Ago } from '#ui/ago.tsx'
import { shorten } from '#ui/shorten.ts'

/** The newest that were dropped. Their text is the sender's. */
export function ExampleList({ examples, now }: { examples: FilteredExample[]; now: number }) {
  return (
    <ul className="examples">
      {examples.map(({ eventId, at, title, route, release, browser }) => (
        <li key={eventId}>
          <span className="mono">{shorten(title, 200)}</span>
          <span className="t3">
            <Ago at={at} now={now} />
            {[route, release, browser]
              .filter(text => text !== '')
              .map(text => ` · ${shorten(text, 60)}`)
              .join('')}
          </span>
        </li>
      ))}
    </ul>
  )
}
