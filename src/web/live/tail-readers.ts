/** Several readers of the live tail over one connection: a browser has one stream for all of its tabs. */
import { formatPositions } from '#domain/logs/tail/position-text.ts'
import type { TailHub } from './tail-hub.ts'
import { followTail, type TailEvent, type TailReader, type TailSearch } from './tail-stream.ts'

type Options = {
  hub: TailHub
  /** In the order in which the browser named them; null for one that cannot be read, which has no lines. */
  searches: readonly (TailSearch | null)[]
  /** Where each reader was. */
  since: readonly (string | null)[]
  /** `id` has the position of every reader, so that each continues exactly where it was. */
  send(event: TailEvent & { search: number }): void
  end(): void
  now(): number
}

export type TailReaders = { stop(): void; position(): string; hide(projectIds: ReadonlySet<number>): void }

export async function followTails({ hub, searches, since, send, end, now }: Options): Promise<TailReaders> {
  const positions = searches.map((_, index) => since[index] ?? '')
  const readers: (TailReader | undefined)[] = []
  let isStopped = false
  function position(): string {
    for (const [index, reader] of readers.entries()) if (reader) positions[index] = reader.position()
    return formatPositions(positions)
  }
  const stop = (): void => {
    isStopped = true
    for (const reader of readers) reader?.stop()
  }
  const begin = async (search: TailSearch, index: number): Promise<void> => {
    const reader = await followTail({
      hub,
      ...search,
      since: since[index] ?? null,
      end,
      now,
      send: event => {
        positions[index] = event.id
        send({ ...event, id: position(), search: index })
      },
    })
    readers[index] = reader
    if (isStopped) reader.stop()
  }
  try {
    await Promise.all(searches.map((search, index) => search && begin(search, index)))
  } catch (error) {
    stop()
    throw error
  }
  return {
    stop,
    position,
    hide: projectIds => {
      for (const reader of readers) reader?.hide(projectIds)
    },
  }
}
