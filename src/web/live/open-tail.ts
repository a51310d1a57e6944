import { joinPositions, reaches, splitPositions } from '#domain/logs/tail/position-text.ts'
import { keepOpen } from './keep-open.ts'
import { splitSearches, tailAddress } from './tail-address.ts'

type Events<Arrived> = {
  /** All lines of a search after one position and up to another. */
  onLines(search: string, from: string, to: string, arrived: Arrived): void
  /** The searches whose lines arrive now, and why the others do not, if that is known. */
  onState(searches: string[], reason: string | null): void
}

/** One stream for the searches of all tabs. It begins again whenever they change, each search where it was. */
export function openTail<Arrived>({ onLines, onState }: Events<Arrived>) {
  /** Up to where the lines of each search have arrived. */
  const positions = new Map<string, string>()
  /** The functions that close them. */
  const streams = new Set<() => void>()
  const connected = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const state = (): string[] => [...connected]

  function close(): void {
    clearTimeout(timer)
    for (const closeStream of streams) closeStream()
    streams.clear()
    connected.clear()
  }

  /** A tab that changes its search leaves with one and joins with another: both at once. */
  function beginAgain(): void {
    close()
    timer = setTimeout(() => {
      for (const wanted of splitSearches([...positions])) open(wanted.map(([search]) => search))
    })
  }

  function open(searches: readonly string[]): void {
    const connect = (isOn: boolean): void => {
      for (const search of searches) connected[isOn ? 'add' : 'delete'](search)
      onState(state(), null)
    }
    const address = (): string => tailAddress(searches.map(search => [search, positions.get(search) ?? '']))
    const attach = (source: EventSource): void => {
      source.addEventListener('open', () => connect(true))
      source.addEventListener('error', () => connect(false))
      source.addEventListener('lines', event => {
        const arrived: Arrived & { search: number } = JSON.parse(event.data)
        const search = searches[arrived.search] ?? ''
        const [from, to] = [positions.get(search), splitPositions(event.lastEventId)[arrived.search]]
        if (from === undefined || to === undefined) return
        positions.set(search, to)
        onLines(search, from, to, arrived)
      })
    }
    streams.add(keepOpen(address, attach, reason => onState(state(), reason)))
  }

  return {
    state,
    close,
    /** A tab wants the lines of this search after a position. Gives whether the stream begins again for it. */
    include(search: string, position: string): boolean {
      const known = positions.get(search)
      if (known !== undefined && reaches(position, known)) return false
      positions.set(search, known === undefined ? position : joinPositions(known, position, 'earlier'))
      beginAgain()
      return true
    },
    exclude(search: string): void {
      if (positions.delete(search)) beginAgain()
    },
  }
}
