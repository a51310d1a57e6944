import { formatAge } from '#ui/format-age.ts'
import { shorten } from '#ui/shorten.ts'
import type { LoadedIssue } from './load-issue.ts'

/** The finding in a sentence or two: how often, for whom, since when, in which release it began. */
export function IssueLede({ loaded: { issue, state, viewer } }: { loaded: LoadedIssue }) {
  const events = count(issue.eventCount, 'event')
  const users = issue.userCount > 0 ? ` and ${count(issue.userCount, 'user')}` : ''
  const age = formatAge(viewer.now - issue.firstSeen)
  return (
    <p className="lede">
      <b>
        {events}
        {users} {age === 'now' ? 'just now' : `in ${age}`}.
      </b>{' '}
      {state.firstRelease ? (
        <>
          First seen in <span className="mono">{shorten(state.firstRelease, 80)}</span>
          {state.lastRelease && state.lastRelease !== state.firstRelease ? (
            <>
              , last in <span className="mono">{shorten(state.lastRelease, 80)}</span>
            </>
          ) : null}
          .
        </>
      ) : (
        'The events name no release.'
      )}
    </p>
  )
}

const count = (quantity: number, noun: string) =>
  `${quantity.toLocaleString('en-US')} ${quantity === 1 ? noun : `${noun}s`}`
