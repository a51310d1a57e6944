import { readSignal } from '#lib/read-signal.ts'

/**
 * Main frees the slot of a page when its browser disconnects, but rendering takes some more time of web's one thread. A client that
 * asks and leaves all the time could pile up such work. So its next page waits until fewer of its abandoned ones are unfinished.
 */
type Client = { unfinished: number; waiting: Set<() => void> }

/** More than a reader leaves behind who clicks fast. */
const maxUnfinished = 6

/** `name` is the client that main names; requests of web to itself have none. */
export function createPageGate(): (name: string | undefined, work: () => Promise<void>) => Promise<void> {
  const clients = new Map<string, Client>()

  function find(name: string): Client {
    const client = clients.get(name) ?? { unfinished: 0, waiting: new Set() }
    clients.set(name, client)
    return client
  }
  function forget(name: string, { unfinished, waiting }: Client): void {
    if (unfinished === 0 && waiting.size === 0) clients.delete(name)
  }

  async function enter(name: string, gone: AbortSignal | undefined): Promise<void> {
    for (let client = find(name); client.unfinished >= maxUnfinished; client = find(name)) {
      await new Promise<void>(resolve => {
        const wake = (): void => {
          client.waiting.delete(wake)
          gone?.removeEventListener('abort', wake)
          resolve()
        }
        client.waiting.add(wake)
        gone?.addEventListener('abort', wake, { once: true })
      })
      forget(name, client)
      gone?.throwIfAborted()
    }
  }

  /** Forms have no signal: they are processed even if the browser has disconnected, and do not count. */
  return async (name, work) => {
    if (name === undefined) return work()
    const gone = readSignal()
    await enter(name, gone)
    gone?.throwIfAborted()
    let isCounted = false
    const count = (): void => {
      isCounted = true
      find(name).unfinished += 1
    }
    gone?.addEventListener('abort', count, { once: true })
    try {
      await work()
    } finally {
      gone?.removeEventListener('abort', count)
      const client = find(name)
      if (isCounted) client.unfinished -= 1
      if (client.unfinished < maxUnfinished) for (const wake of [...client.waiting]) wake()
      forget(name, client)
    }
  }
}
