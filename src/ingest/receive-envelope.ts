/** The door of nearly all traffic: `/envelope/` and the tunnel. */
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
    // Without its first line an envelope may not say whose it is: that much is held whatever the memory says.
    if (sink.hasRoom(chunk) || scanner.headers() === null) {
      sink.hold(chunk)
      return true
    }
    if (!sink.isSpooling()) refusal = mayWrite()
    return refusal === null ? sink.spool(chunk) : false
  }

  function mayWrite(): Refusal | null {
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
  const no = judge(scan, admission)
  if (no !== null || !admission.ok) {
    await sink.discard()
    return refuse(exchange, no ?? refusals.unknownKey, scan.items)
  }
  return accept(exchange, { key: admission.key, scan, sink, answer: { status: 200, body: idAnswer(scan.headers) } })
}

/** Who is asked before what: only without a first line, which may have held the DSN, the body's fault comes first. */
function judge(scan: ScanResult, admission: Admission): Refusal | null {
  if (scan.headers !== null && !admission.ok) return admission.refusal
  return scan.fault === null ? null : refuseScan(scan.fault)
}

const hexId = /^[0-9a-f]{32}$/

/** Some tools write the id with hyphens; what is answered is the form that is stored. */
function idAnswer(headers: EnvelopeHeaders | null): string {
  const given = headers?.event_id
  if (given === undefined) return '{}'
  const id = hexId.test(given) ? given : given.replaceAll('-', '').toLowerCase()
  return hexId.test(id) ? `{"id":"${id}"}` : '{}'
}
