/** HTTP receivers of channels that keep every request, with the answer that it got. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Control } from '#store/control/control.ts'
import type { LedgerRow } from './ledger.ts'

export type Mood = 'fine' | 'down' | 'busy' | 'silent'
type Request = { id: string; body: string; status: number }

export type ChannelReceivers = {
  url(name: string): string
  /** The current response of each receiver: 200, 500, 429 with a one-second pause, or no response. */
  mood: Map<string, Mood>
  requestsOf(name: string): readonly Request[]
  hangUp(): void
  stop(): void
}

export async function startChannelReceivers(): Promise<ChannelReceivers> {
  const requests = new Map<string, Request[]>()
  const mood = new Map<string, Mood>()
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1)
    const body = await text(request)
    const answer = mood.get(name) ?? 'fine'
    const status = { fine: 200, down: 500, busy: 429, silent: 0 }[answer]
    const own = requests.get(name) ?? []
    requests.set(name, own)
    own.push({ id: idOf(request.headers['webhook-id'], body), body, status })
    if (status !== 0) response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: name => `http://127.0.0.1:${port}/${name}`,
    mood,
    requestsOf: name => requests.get(name) ?? [],
    hangUp: () => server.closeAllConnections(),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** PagerDuty has no header: the id is among the details, or the key of what is closed. */
function idOf(header: string | string[] | undefined, body: string): string {
  if (header !== undefined) return String(header)
  const { payload, dedup_key, event_action } = JSON.parse(body) as {
    payload?: { custom_details?: { id?: string } }
    dedup_key: string
    event_action: string
  }
  return payload?.custom_details?.id ?? `${event_action} ${dedup_key}`
}

/** Compares what the outbox says with what arrived. `kills` repetitions are allowed in all: a kill between the answer and the commit. */
export async function readLedger(
  { db }: Control,
  receivers: ChannelReceivers,
  channels: readonly { id: number; name: string }[],
  kills: number,
): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = []
  for (const { id, name } of channels) {
    const outbox = await db
      .selectFrom('outbox')
      .select(['id', 'state'])
      .where('channel_id', '=', id)
      .where('summary_id', 'is', null)
      .execute()
    // The end of a page doesn't count as a message here; test/contract/pages.contract.test.ts covers it.
    const accepted = receivers
      .requestsOf(name)
      .filter(({ id: key, status }) => status === 200 && !key.startsWith('resolve '))
    const times = new Map([...Map.groupBy(accepted, each => each.id)].map(([key, group]) => [key, group.length]))
    const delivered = await db
      .selectFrom('delivery')
      .innerJoin('outbox', 'outbox.id', 'delivery.outbox_id')
      .select('outbox_id')
      .distinct()
      .where('delivery.channel_id', '=', id)
      .where('outcome', '=', 'sent')
      .where('outbox.key', 'not like', 'page-end/%')
      .execute()
    const sent = new Set(delivered.map(row => row.outbox_id ?? ''))
    const repeated = [...times.values()].reduce((sum, count) => sum + count - 1, 0)
    rows.push({
      who: name,
      sent: sent.size,
      received: accepted.length,
      lost: [...sent].filter(key => !times.has(key)),
      duplicated: [...times].filter(([, count]) => count > 1 + kills).map(([key]) => key),
      repeated,
      open: outbox.filter(({ state }) => state !== 'sent').length,
    })
  }
  const excess = rows.reduce((sum, { repeated }) => sum + repeated, 0)
  // Each kill can repeat one message of each channel that was being served.
  if (excess > kills * channels.length) throw new Error(`${excess} repetitions after ${kills} kills`)
  return rows
}
