import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { envelopePath, openIngest } from '../../test/open-ingest.ts'

test('a slow disk applies backpressure: one chunk at a time, in order, and nothing is buffered', async () => {
  const written: Buffer[] = []
  let [inFlight, mostInFlight] = [0, 0]
  const ingest = await openIngest({
    timeouts: { idleMs: 500, totalMs: 300_000 },
    inbox: {
      append: async () => undefined,
      isFull: () => false,
      spool: async () => ({
        name: 'slow',
        async write(chunk) {
          mostInFlight = Math.max(mostInFlight, ++inFlight)
          // Longer than the idle bound: waiting for us is not the sender's fault.
          await wait(written.length === 3 ? 1_300 : 1)
          written.push(Buffer.from(chunk))
          inFlight--
        },
        finish: async () => ({ name: 'slow', sizeBytes: Buffer.concat(written).length }),
        discard: async () => undefined,
      }),
    },
  })
  const body = Buffer.alloc(6 * 1024 * 1024, '0123456789')
  body.write('{}\n{"type":"attachment"}\n')
  const reply = await ingest.send(envelopePath, body)
  await ingest.close()
  expect(reply.status).toBe(200)
  expect(mostInFlight).toBe(1)
  expect(Buffer.concat(written).equals(body)).toBe(true)
})
