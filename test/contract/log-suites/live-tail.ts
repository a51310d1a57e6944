/** What readers of the live tail see of what is committed. */
import { describe, expect, test } from 'vitest'
import { formatPosition, readPosition, splitPositions } from '#domain/logs/tail/position-text.ts'
import { tailBatch } from '#domain/logs/tail/tail-line.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { createTailHub } from '#web/live/tail-hub.ts'
import { followTails } from '#web/live/tail-readers.ts'
import { followTail, type TailEvent } from '#web/live/tail-stream.ts'
import { acme, line, now, search, viewer } from './log-world.ts'

export function liveTailSuite(): void {
  describe('the live tail', () => {
    const columns = ['plan']
    const pushed = (batch: number, bodies: string[], given: Partial<LogRow> = {}) =>
      tailBatch(
        { inboxId: 'inbox', batch, receivedAt: now },
        bodies.map(body => line(0, body, given)),
      )
    /** A hub whose digest has committed batch 1, which `beforeAll` has stored, and pushes all later ones. */
    function openHub() {
      const hub = createTailHub({
        ask: isOn => void (isOn && hub.receive({ type: 'tailing', inboxId: 'inbox', batch: 1 })),
        readCommitted: async () => new Map([['inbox', 1]]),
      })
      return hub
    }
    type Hub = ReturnType<typeof openHub>

    async function follow(hub: Hub, text: string, since: string | null) {
      const events: TailEvent[] = []
      let clock = now
      const reader = await followTail({
        ...{ hub, viewer, columns, since, filter: { terms: search(text) } },
        send: event => void events.push(event),
        end: () => events.push({ id: 'ended', lines: [], matched: 0 }),
        now: () => clock,
      })
      return {
        ...reader,
        events,
        bodies: () => events.flatMap(({ lines }) => lines.map(({ body }) => body)),
        wait: (ms: number) => (clock += ms),
      }
    }

    test('shows what is committed from now on, if the search finds it', async () => {
      const hub = openHub()
      const reader = await follow(hub, 'level:error', null)
      hub.receive({ type: 'lines', batch: pushed(2, ['quiet']) })
      hub.receive({ type: 'lines', batch: pushed(3, ['loud'], { level: 'error', attributes: { plan: 'gold' } }) })
      hub.receive({ type: 'lines', batch: pushed(4, ['theirs'], { level: 'error', project_id: 999 }) })
      await expect.poll(reader.bodies).toEqual(['loud'])
      expect(reader.events[0]?.lines[0]).toMatchObject({ cells: ['gold'], side: 'server' })
      reader.stop()
    })

    test('continues where a reader was: from the buffer, or else from the engine', async () => {
      const hub = openHub()
      const first = await follow(hub, '', null)
      hub.receive({ type: 'lines', batch: pushed(2, ['two']) })
      await expect.poll(first.bodies).toEqual(['two'])
      first.stop()
      hub.receive({ type: 'lines', batch: pushed(3, ['three']) })
      const again = await follow(hub, '', first.events[0]?.id ?? '')
      hub.receive({ type: 'lines', batch: pushed(4, ['four']) })
      await expect.poll(again.bodies).toEqual(['three', 'four'])
      again.stop()
      const old = await follow(openHub(), 'host:web-2', formatPosition(new Map([['inbox', 0]]), now))
      await expect.poll(old.bodies).toHaveLength(2)
      expect(old.events[0]?.matched).toBe(2)
      old.stop()
    })

    test('shows a part of a flood and says how much there is', async () => {
      const hub = openHub()
      const reader = await follow(hub, '', null)
      hub.receive({
        type: 'lines',
        batch: pushed(
          2,
          Array.from({ length: 3_000 }, (_, index) => `line ${index}`),
        ),
      })
      await expect.poll(() => reader.events.length).toBe(1)
      expect(reader.events[0]).toMatchObject({ matched: 3_000 })
      expect(reader.bodies()).toHaveLength(200)
      reader.wait(500)
      hub.receive({
        type: 'lines',
        batch: pushed(
          3,
          Array.from({ length: 150 }, () => 'later'),
        ),
      })
      await expect.poll(() => reader.bodies().length).toBe(300)
      reader.stop()
    })

    test('shows all lines of commits that are seconds apart, if they are no flood on average', async () => {
      const hub = openHub()
      const reader = await follow(hub, '', null)
      for (const [index, lines] of [200, 300, 450, 900].entries()) {
        const batch = pushed(
          2 + index,
          Array.from({ length: lines }, () => 'late'),
        )
        hub.receive({ type: 'lines', batch })
        await expect.poll(() => reader.events.length).toBe(index + 1)
        reader.wait(index === 2 ? 60_000 : 2_500)
      }
      expect(reader.bodies()).toHaveLength(1_850)
      hub.receive({
        type: 'lines',
        batch: pushed(
          6,
          Array.from({ length: 3_000 }, () => 'flood'),
        ),
      })
      await expect.poll(() => reader.events.length).toBe(5)
      expect(reader.bodies()).toHaveLength(1_850 + 600)
      reader.stop()
    })

    test('reads what another node commits, and what was committed while digest restarted', async () => {
      const hub = openHub()
      const reader = await follow(hub, 'host:web-2', null)
      hub.receive({ type: 'tailing', inboxId: 'inbox', batch: 4 })
      // Batch 4 was stored by the test of pages; it has no such host.
      hub.receive({ type: 'lines', batch: pushed(5, ['after the restart'], { server_name: 'web-2' }) })
      await expect.poll(reader.bodies).toEqual(['after the restart'])
      expect(readPosition(reader.position())?.position.get('inbox')).toBe(5)
      reader.stop()
    })

    test('several searches share a stream whose ids say where each of them is', async () => {
      const hub = openHub()
      const open = async (since: readonly (string | null)[]) => {
        const events: { id: string; search: number; bodies: string[] }[] = []
        const wanted = ['level:error', 'host:web-2'].map(text => ({ viewer, columns, filter: { terms: search(text) } }))
        const readers = await followTails({
          ...{ hub, searches: [wanted[0] ?? null, null, wanted[1] ?? null], since, now: () => now },
          send: ({ id, search, lines }) => void events.push({ id, search, bodies: lines.map(({ body }) => body) }),
          end: () => undefined,
        })
        return { ...readers, seen: () => events.map(({ search, bodies }) => [search, ...bodies]) }
      }
      const batchOf = (position: string | undefined) => readPosition(position ?? '')?.position.get('inbox')
      const first = await open([null, null, null])
      hub.receive({ type: 'lines', batch: pushed(2, ['both'], { level: 'error', server_name: 'web-2' }) })
      hub.receive({ type: 'lines', batch: pushed(3, ['loud'], { level: 'error' }) })
      await expect.poll(first.seen).toEqual([
        [0, 'both'],
        [2, 'both'],
        [0, 'loud'],
      ])
      const [one, none, two] = splitPositions(first.position())
      first.stop()
      expect([batchOf(one), none, batchOf(two)]).toEqual([3, '', 3])
      // The first reader is a batch ahead of the other: each gets what it lacks, and nothing twice.
      const behind = formatPosition(new Map([['inbox', 1]]), now)
      const again = await open([one ?? '', '', behind])
      hub.receive({ type: 'lines', batch: pushed(4, ['new'], { level: 'error', server_name: 'web-2' }) })
      await expect
        .poll(() => again.seen().sort())
        .toEqual([
          [0, 'new'],
          [2, 'both'],
          [2, 'new'],
        ])
      again.stop()
    })

    test('a project that becomes hidden falls silent', async () => {
      const hub = openHub()
      const reader = await follow(hub, '', null)
      reader.hide(new Set([acme.projectId]))
      hub.receive({ type: 'lines', batch: pushed(2, ['secret']) })
      await expect.poll(() => readPosition(reader.position())?.position.get('inbox')).toBe(2)
      reader.hide(new Set())
      hub.receive({ type: 'lines', batch: pushed(3, ['open']) })
      await expect.poll(reader.bodies).toEqual(['open'])
      reader.stop()
    })
  })
}
