/** A pager that keeps alerts by their dedup key, like the Events API v2 of PagerDuty: what it is not sent, it does not know. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const event = z.discriminatedUnion('event_action', [
  z.object({
    event_action: z.literal('trigger'),
    routing_key: z.string().length(32),
    dedup_key: z.string().min(1).max(255),
    payload: z.object({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
    }),
  }),
  z.object({
    event_action: z.enum(['acknowledge', 'resolve']),
    routing_key: z.string().length(32),
    dedup_key: z.string().min(1).max(255),
  }),
])
type PagerEvent = z.output<typeof event>

export type Pager = Awaited<ReturnType<typeof startPager>>

export async function startPager() {
  const state = {
    events: [] as PagerEvent[],
    /** By routing key and dedup key. */
    alerts: new Map<string, { key: string; summary: string; state: 'triggered' | 'acknowledged' | 'resolved' }>(),
    /** The dedup key of each call to a person. */
    called: [] as string[],
    /** Dedup keys that were triggered again after their alert was resolved. */
    reused: [] as string[],
    /** Events about an alert that was never triggered. */
    stray: [] as PagerEvent[],
    /** The errors of each request that isn't a valid event of the API. */
    refused: [] as unknown[],
    /** Status codes of the next requests; 202 without. */
    answers: [] as number[],
  }
  function take(given: PagerEvent): void {
    state.events.push(given)
    const id = `${given.routing_key} ${given.dedup_key}`
    const known = state.alerts.get(id)
    if (given.event_action === 'trigger') {
      if (known?.state === 'resolved') state.reused.push(given.dedup_key)
      if (known === undefined || known.state === 'resolved') {
        state.alerts.set(id, { key: given.dedup_key, summary: given.payload.summary, state: 'triggered' })
        state.called.push(given.dedup_key)
      }
    } else if (known === undefined) state.stray.push(given)
    else if (known.state !== 'resolved') known.state = given.event_action === 'resolve' ? 'resolved' : 'acknowledged'
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const status = state.answers.shift() ?? 202
    const parsed = event.safeParse(JSON.parse(Buffer.concat(chunks).toString()))
    if (!parsed.success) state.refused.push(parsed.error.issues)
    else if (status === 202) take(parsed.data)
    response.writeHead(parsed.success ? status : 400).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/enqueue`,
    open: () => [...state.alerts.values()].filter(alert => alert.state !== 'resolved'),
    forget: () => {
      for (const list of [state.events, state.called, state.reused, state.stray, state.refused, state.answers])
        list.length = 0
      state.alerts.clear()
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  })
}
