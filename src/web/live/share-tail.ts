import { joinPositions, reaches } from '#domain/logs/tail/position-text.ts'
import { holdWhileVisible } from './hold-while-visible.ts'
import { openTail } from './open-tail.ts'

type Events<Arrived> = { onArrived(event: Arrived): void; onState(isConnected: boolean, reason: string | null): void }

type Message<Arrived> =
  /** From the tab with the stream: all lines of a search between two positions. */
  | { kind: 'lines'; search: string; from: string; to: string; arrived: Arrived }
  /** The searches whose lines arrive now, and why the others do not. */
  | { kind: 'state'; searches: string[]; reason: string | null }
  /** Who has taken over asks who is there. */
  | { kind: 'lead' }
  /** To the tab with the stream: a tab is visible, and has all lines of its search up to this position. */
  | { kind: 'join'; tab: string; search: string; last: string }
  | { kind: 'leave'; tab: string }

const name = 'hydrant-tail'

/**
 * Follows the log lines of a search from a position. All visible tabs of a browser share one connection, whatever they search for: the tab
 * that holds it broadcasts. Each tab knows up to where it has all lines. It takes only what follows on that, so a tab that takes over
 * continues there, and for a tab that comes later and lacks some, the stream begins again where it is. `search` is the address that a
 * stream of its own would have.
 */
export function followShared<Arrived>(
  search: string,
  since: string,
  { onArrived, onState }: Events<Arrived>,
): () => void {
  // Without locks every visible tab has a stream of its own and needs to hear of no other.
  const channel = navigator.locks ? new BroadcastChannel(name) : null
  const tab = channel ? crypto.randomUUID() : 'only'
  let last = since
  let isHere = false
  /** What the tab with the stream does when another joins or leaves; null while this tab has none. */
  let lead: ((message: Message<Arrived>) => void) | null = null

  const here = (): Message<Arrived> => ({ kind: 'join', tab, search, last })

  function hear(message: Message<Arrived>): void {
    if (message.kind === 'state') onState(isHere && message.searches.includes(search), message.reason ?? null)
    else if (message.kind === 'lead') tell(isHere ? here() : { kind: 'leave', tab })
    else if (message.kind !== 'lines') lead?.(message)
    else if (isHere && message.search === search && !reaches(last, message.to)) {
      if (reaches(last, message.from)) {
        last = joinPositions(last, message.to, 'later')
        onArrived(message.arrived)
      }
      // The tab with the stream did not know where this one is.
      else tell(here())
    }
  }

  /** To all tabs, and to this one if it has the stream. */
  function tell(message: Message<Arrived>): void {
    channel?.postMessage(message)
    lead?.(message)
  }

  function hold(signal: AbortSignal): Promise<void> {
    const share = (message: Message<Arrived>): void => {
      channel?.postMessage(message)
      hear(message)
    }
    /** Which tab reads what. */
    const readers = new Map<string, string>()
    const tail = openTail<Arrived>({
      onLines: (of, from, to, arrived) => share({ kind: 'lines', search: of, from, to, arrived }),
      onState: (searches, reason) => share({ kind: 'state', searches, reason }),
    })
    lead = message => {
      if (message.kind === 'join') {
        readers.set(message.tab, message.search)
        const isNew = tail.include(message.search, message.last)
        if (!isNew) share({ kind: 'state', searches: tail.state(), reason: null })
      } else if (message.kind === 'leave') {
        const left = readers.get(message.tab)
        readers.delete(message.tab)
        if (left !== undefined && ![...readers.values()].includes(left)) tail.exclude(left)
      }
    }
    lead(here())
    channel?.postMessage({ kind: 'lead' })
    return new Promise(resolve => {
      signal.addEventListener('abort', () => {
        tail.close()
        lead = null
        share({ kind: 'state', searches: [], reason: null })
        resolve()
      })
    })
  }

  function onVisibilityChange(): void {
    isHere = document.visibilityState !== 'hidden'
    tell(isHere ? here() : { kind: 'leave', tab })
  }

  if (channel) channel.onmessage = ({ data }: MessageEvent<Message<Arrived>>) => hear(data)
  document.addEventListener('visibilitychange', onVisibilityChange)
  onVisibilityChange()
  const stop = holdWhileVisible(name, hold)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', onVisibilityChange)
    isHere = false
    channel?.postMessage({ kind: 'leave', tab })
    channel?.close()
  }
}
