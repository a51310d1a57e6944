/** What a recording knows besides its picture and what is stored of it: files that the page loaded, and its memory. */

import { countOf, type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { recordedMs, rrweb } from '#protocol/recording.ts'

/** A file that the page loaded. Requests of scripts are moments. `at` is in milliseconds, by the clock of the browser. */
export type RecordedResource = { at: number; kind: string; url: string; ms: number; bytes: number; status: number }
/** Bytes of the heap of the page's scripts. */
export type RecordedMemory = { at: number; used: number; limit: number }
export type Extras = { resources: RecordedResource[]; memory: RecordedMemory[] }

/** Of one segment, which covers some seconds. */
const most = { resources: 300, memory: 50 }
const maxUrlChars = 1_000
const resource = /^resource\.(?!fetch$|xhr$)([a-z_]{1,20})$/

export function addExtra(extras: Extras, { type, data }: JsonObject): void {
  const custom = type === rrweb.custom ? objectOf(data) : undefined
  const payload = custom?.tag === 'performanceSpan' ? objectOf(custom.payload) : undefined
  const start = numberOf(payload?.startTimestamp)
  if (payload === undefined || start === undefined) return
  const at = recordedMs(start)
  const about = objectOf(payload.data) ?? {}
  const heap = payload.op === 'memory' ? objectOf(about.memory) : undefined
  if (heap !== undefined && extras.memory.length < most.memory)
    extras.memory.push({ at, used: countOf(heap.usedJSHeapSize), limit: countOf(heap.jsHeapSizeLimit) })
  const kind = resource.exec(textOf(payload.op))?.[1]
  if (kind === undefined || extras.resources.length >= most.resources) return
  extras.resources.push({
    at,
    kind,
    url: clipText(textOf(payload.description), maxUrlChars),
    ms: Math.max(0, Math.round(recordedMs(numberOf(payload.endTimestamp) ?? start) - at)),
    bytes: countOf(about.size ?? about.encodedBodySize),
    status: countOf(about.statusCode, 999),
  })
}
