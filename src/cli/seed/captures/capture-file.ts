/** Recorded traffic of the example shop, which ships with Hydrant. `test/clients/record-shop.ts` writes the file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'

export const capturePath: string = join(import.meta.dirname, 'shop.json.br')

/** The releases that the shop was recorded with; the second one was deployed during `deploy` visits. */
export const recordedReleases = ['shop@1.0.0', 'shop@1.1.0'] as const
/** The user of all recorded visits. */
export const recordedUser = 'visitor-1'
export type Feedback = { name: string; email: string; message: string }
/** Written in all `feedback` visits. */
export const recordedFeedback: Feedback = {
  name: 'Elin',
  email: 'elin@example.com',
  message: 'The picture of the pot is missing on my phone. Is it the same size as the old one?',
}

const headers = z.record(z.string(), z.unknown())
const payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('json'), value: z.unknown() }),
  z.object({ kind: z.literal('recording'), headers, events: z.unknown() }),
  z.object({ kind: z.literal('bytes'), base64: z.string() }),
])
const item = z.object({ headers, payload })
const request = z.object({ at: z.number(), userAgent: z.string(), headers, items: z.array(item) })
const visit = z.object({
  name: z.string(),
  /** Milliseconds since 1970, like all times in its payloads that lie between them. */
  beganAt: z.number(),
  endedAt: z.number(),
  requests: z.array(request),
})
const captureFile = z.object({
  /** Ids of events, traces, spans and replays, which differ between visits. */
  ids: z.array(z.string()),
  visits: z.array(visit),
})

export type CaptureFile = z.output<typeof captureFile>
export type CapturedVisit = z.output<typeof visit>
export type CapturedRequest = z.output<typeof request>
export type CapturedItem = z.output<typeof item>

export const readCaptures = (path: string = capturePath): CaptureFile =>
  captureFile.parse(JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8')))
