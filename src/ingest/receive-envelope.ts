/** `/envelope/` and the tunnel: nearly all traffic. */
import { createEnvelopeScanner } from '#protocol/envelope-scanner.ts'
import type { ScanResult } from '#protocol/item-types.ts'
import { ingestLimits } from '#protocol/item-types.ts'
import type { EnvelopeHeaders } from '#protocol/parse-headers.ts'
import { accept } from './accept.ts'
import type { Admission, Admit } from './admit.ts'
import { createBodySink } from './body-sink.ts'
import { type Exchange, refuse } from './ingest-context.ts'
import { giveUp, readBody } from './read-body.ts'
import { type Refusal, refusals, refuseScan } from './refusal.ts'

export async function receiveEnvelope(exchange: Exchange, admit: Admit): Promise<void> {
  const { context, req } = exchange
  const scanner = createEnvelopeScanner(ingestLimits)
  const sink = createBodySink(context.inbox, context.memory, context.storageLog.failed)
  let refusal: Refusal | null = null

  function take(chunk: Buffer): boolean | Promise<boolean> {
    const fault = scanner.push(chunk)
    if (fault !== null) {
      refusal = refuseScan(fault)
      return false
    }
    // The first line may hold the DSN, so it is buffered even when memory is short.
    if (sink.hasRoom(chunk) || scanner.headers() === null) {
      sink.hold(chunk)
      return true
    }
    if (!sink.isSpooling()) refusal = checkBeforeSpooling()
    return refusal === null ? sink.spool(chunk) : false
  }

  function checkBeforeSpooling(): Refusal | null {
    const admission = admit(scanner.headers())
    if (!admission.ok) return admission.refusal
    return context.inbox.isFull() ? refusals.inboxFull : null
  }

  const fault = await readBody(req, { maxBytes: ingestLimits.maxEnvelopeBytes, watch: context.watch }, take)
  if (fault !== null) {
    await sink.discard()
    return giveUp(exchange, fault, refusal, admit(scanner.headers()), scanner.items())
  }
  const scan = scanner.end()
  const admission = admit(scan.headers)
  const refused = findRefusal(scan, admission)
  if (refused !== null || !admission.ok) {
    await sink.discard()
    return refuse(exchange, refused ?? refusals.unknownKey, scan.items)
  }
  return accept(exchange, { key: admission.key, scan, sink, response: { status: 200, body: idResponse(scan.headers) } })
}

/** Checks authentication before faults of the body, unless the first line is missing: it may have contained the DSN. */
function findRefusal(scan: ScanResult, admission: Admission): Refusal | null {
  if (scan.headers !== null && !admission.ok) return admission.refusal
  return scan.fault === null ? null : refuseScan(scan.fault)
}

const hexId = /^[0-9a-f]{32}$/

/** Some tools send the id with hyphens; the response has the stored form. */
function idResponse(headers: EnvelopeHeaders | null): string {
  const given = headers?.event_id
  if (given === undefined) return '{}'
  const id = hexId.test(given) ? given : given.replaceAll('-', '').toLowerCase()
  return hexId.test(id) ? `{"id":"${id}"}` : '{}'
}
