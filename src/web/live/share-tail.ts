import { joinPositions, reaches } from '#domain/logs/tail/position-text.ts'
import { holdWhileVisible } from './hold-while-visible.ts'

type Events<Arrived> = { onArrived(event: Arrived): void; onState(isConnected: boolean): void }

type Message<Arrived> =
  /** From the tab with the stream. `id` is the position after these lines. */
  | { kind: 'lines'; id: string; arrived: Arrived }
  | { kind: 'state'; isConnected: boolean }
  /** Who has taken over asks where the others are. */
  | { kind: 'lead' }
  /** To the tab with the stream: another tab is here, and has all lines up to this position. */
  | { kind: 'join'; last: string }

/**
 * Follows a stream of log lines from a position. Tabs with the same URL share one connection: the tab that holds it broadcasts. Each tab
 * knows up to where it has all lines, so a tab that takes over continues there, and a tab that comes later and lacks some lets the stream
 * begin again where it is. A tab may hear of a line twice, never of none, and knows it by its key.
 */
export function followShared<Arrived>(
  href: string,
  since: string,
  { onArrived, onState }: Events<Arrived>,
): () => void {
  const name = `hydrant-tail:${href}`
  // Without locks every visible tab has a stream of its own and needs to hear of no other.
  const channel = navigator.locks ? new BroadcastChannel(name) : null
  const post = (message: Message<Arrived>) => channel?.postMessage(message)
  let last = since
  let isConnected = false
  /** Begins the stream of this tab again if a tab at this position lacks lines; null while another tab has it. */
  let include: ((position: string) => void) | null = null

  function arrive(id: string, arrived: Arrived): void {
    last = joinPositions(last, id, 'later')
    onArrived(arrived)
  }

  function tell(isOn: boolean): void {
    isConnected = isOn
    onState(isOn)
    post({ kind: 'state', isConnected })
  }

  function hold(signal: AbortSignal): Promise<void> {
    let position = last
    let source = open()
    function open(): EventSource {
      const opened = new EventSource(`${href}${href.includes('?') ? '&' : '?'}since=${encodeURIComponent(position)}`)
      opened.addEventListener('open', () => tell(true))
      opened.addEventListener('error', () => tell(false))
      opened.addEventListener('lines', event => {
        position = event.lastEventId || position
        const arrived: Arrived = JSON.parse(event.data)
        arrive(position, arrived)
        post({ kind: 'lines', id: position, arrived })
      })
      return opened
    }
    include = other => {
      if (reaches(other, position)) return
      position = joinPositions(position, other, 'earlier')
      source.close()
      source = open()
    }
    post({ kind: 'lead' })
    return new Promise(resolve => {
      signal.addEventListener('abort', () => {
        source.close()
        include = null
        tell(false)
        resolve()
      })
    })
  }

  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Message<Arrived>>) => {
      if (data.kind === 'lines') arrive(data.id, data.arrived)
      else if (data.kind === 'state') onState(data.isConnected)
      else if (data.kind === 'lead') post({ kind: 'join', last })
      else if (include) {
        include(data.last)
        post({ kind: 'state', isConnected })
      }
    }
  post({ kind: 'join', last })
  const stop = holdWhileVisible(name, hold)
  return () => {
    stop()
    channel?.close()
  }
}
