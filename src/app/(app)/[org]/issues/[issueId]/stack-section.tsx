import type { StoredEvent } from '#domain/events/find-event.ts'
import type { EventView, ExceptionView } from '#ui/event/event-view.ts'
import { BareStacks, ExceptionChain, formatChain, type StackMode } from '#ui/event/exception-chain.tsx'
import { formatMoment } from '#ui/format.ts'
import { CopyEvent } from '#ui/issue/copy-event.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import type { IssueAddress } from './search-params.ts'

type Props = { event: StoredEvent; view: EventView; address: IssueAddress; path: string }

const modes: { mode: StackMode; label: string }[] = [
  { mode: 'app', label: 'In app' },
  { mode: 'all', label: 'All frames' },
  { mode: 'raw', label: 'Raw' },
]

/** Message and exceptions. The stack mode is in the URL, so that it works without JavaScript and a link keeps it. */
export function StackSection({ event, view, address, path }: Props) {
  const { exceptions, stacks } = view
  return (
    <Section
      id="stack"
      title={exceptions.length > 0 ? 'Stack trace' : 'Message'}
      note={noteOn(exceptions)}
      actions={
        <>
          {[...exceptions, ...stacks].some(({ frames }) => frames.length > 0) ? (
            <nav className="seg" aria-label="Frames">
              {modes.map(({ mode, label }) => (
                <Link
                  key={mode}
                  href={modeAddress(path, address.search, mode)}
                  scroll={false}
                  aria-current={mode === address.stack ? 'true' : undefined}
                >
                  {label}
                </Link>
              ))}
            </nav>
          ) : null}
          <CopyEvent
            title={shorten(event.title, 300)}
            facts={[
              { label: 'Event', value: event.event_id },
              { label: 'Time', value: formatMoment(event.timestamp, { withMs: true }) },
              { label: 'Release', value: shorten(event.release, 80) },
              { label: 'Environment', value: shorten(event.environment, 80) },
              { label: 'Route', value: shorten(event.route, 200) },
            ]}
            stack={exceptions.length > 0 ? formatChain(exceptions) : copyMessage(view)}
          />
        </>
      }
    >
      {exceptions.length > 0 ? (
        <ExceptionChain exceptions={exceptions} mode={address.stack} />
      ) : (
        <p className="message">{shorten(view.message, 4_000) || 'This event has no message and no exception.'}</p>
      )}
      {stacks.length > 0 ? <BareStacks stacks={stacks} mode={address.stack} /> : null}
    </Section>
  )
}

/** The message, with the stack of the thread that sent it. */
const copyMessage = ({ message, stacks }: EventView): string =>
  [shorten(message, 2_000), ...(stacks.length > 0 ? [formatChain(stacks.slice(0, 1))] : [])].join('\n')

function modeAddress(path: string, search: string, mode: StackMode): string {
  const params = new URLSearchParams(search)
  if (mode !== 'app') params.set('stack', mode)
  return params.size > 0 ? `${path}?${params}` : path
}

function noteOn(exceptions: ExceptionView[]): string | undefined {
  if (exceptions.length < 2) return undefined
  const isGroup = exceptions.some(exception => exception.isGroup)
  return `${exceptions.length} exceptions, ${isGroup ? 'grouped into one' : 'root cause last'}`
}
