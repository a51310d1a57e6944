import { setTimeout } from 'node:timers/promises'
import { reportRequestError } from './self-report/report-request-error.ts'
import { AccessEnded, whileAllowed } from './while-allowed.ts'

type Part = string | Uint8Array

/** The cut discards what still lies in buffers on its way to the client. */
const graceMs = 1_000

/**
 * The body of a response that is written while it is read: the next part is made when the client takes it. If one can't be made, the
 * error is reported and the connection is cut, so that half a file does not look like a whole one. `brokenOff` is the last line of such a
 * file, for proxies that end a response which was cut.
 */
export function streamParts(
  parts: AsyncGenerator<Part, void>,
  { route, brokenOff, report = reportBreak }: { route: string; brokenOff?: string; report?: typeof reportBreak },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let failure: { error: unknown } | null = null
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (failure !== null) {
        await setTimeout(graceMs)
        return controller.error(failure.error)
      }
      try {
        const { value, done } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        if (!(error instanceof AccessEnded)) await report(route, error)
        if (brokenOff === undefined) return controller.error(error)
        // Sent before the cut: an error discards what was not taken yet.
        failure = { error }
        controller.enqueue(encoder.encode(brokenOff))
      }
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

/** As errors of pages: in the log, and in the project of Hydrant itself. */
const reportBreak = (routePath: string, error: unknown): Promise<void> =>
  reportRequestError({ error, method: 'GET', routePath, routeType: 'route' })

type Download = {
  name: string
  type: string
  route: string
  parts: AsyncGenerator<Part, void>
  /** Whether the reader may still read it: a large file takes minutes. */
  isAllowed(): Promise<boolean>
  /** A line of the file that says this, in its format. */
  lineOf(words: string): string
}

/** A file. An error before its first part is an error of the request. */
export async function downloadResponse({ name, type, route, parts, isAllowed, lineOf }: Download): Promise<Response> {
  const first = await parts.next()
  const brokenOff = lineOf('This file is incomplete: the export broke off here. Export it again.')
  const body = streamParts(whileAllowed(withFirst(first, parts), isAllowed), { route, brokenOff })
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-store',
    },
  })
}

async function* withFirst(
  first: IteratorResult<Part, void>,
  rest: AsyncGenerator<Part, void>,
): AsyncGenerator<Part, void> {
  if (first.done) return
  yield first.value
  yield* rest
}
