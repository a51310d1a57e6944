export const droppedMessage = 'Dropped before it is sent'

/** Records the sent envelopes and prints a summary as one line of JSON when the process ends. */
export function recordSent(Sentry) {
  const sent = {
    sdkVersion: Sentry.SDK_VERSION,
    items: {},
    events: [],
    spans: [],
    logs: [],
    metrics: [],
    checkIns: [],
    feedback: [],
    attachments: [],
    sessions: [],
  }

  function noteItem([header, payload]) {
    sent.items[header.type] = (sent.items[header.type] ?? 0) + 1
    notes[header.type]?.(payload, header)
  }

  const notes = {
    event: event =>
      sent.events.push({ id: event.event_id, title: titleOf(event), traceId: event.contexts?.trace?.trace_id }),
    transaction: event => {
      sent.spans.push({ id: event.contexts.trace.span_id, name: event.transaction, isSegment: true })
      for (const span of event.spans) sent.spans.push({ id: span.span_id, name: span.description, isSegment: false })
    },
    span: ({ items }) => {
      for (const span of items) sent.spans.push({ id: span.span_id, name: span.name, isSegment: span.is_segment })
    },
    log: ({ items }) => sent.logs.push(...items.map(log => log.body)),
    trace_metric: ({ items }) => sent.metrics.push(...items.map(metric => metric.name)),
    check_in: checkIn =>
      sent.checkIns.push({ id: checkIn.check_in_id, slug: checkIn.monitor_slug, status: checkIn.status }),
    feedback: event => sent.feedback.push({ id: event.event_id, message: event.contexts.feedback.message }),
    attachment: (_bytes, header) => sent.attachments.push(header.filename),
    session: session => sent.sessions.push({ id: session.sid, status: session.status, errors: session.errors }),
  }

  process.on('exit', () => process.stdout.write(`${JSON.stringify(sent)}\n`))

  return {
    beforeSend: event => (titleOf(event) === droppedMessage ? null : event),
    watch: client => client.on('beforeEnvelope', ([, items]) => items.forEach(noteItem)),
    /** Adds the envelopes of a child process. */
    add: other => {
      for (const [type, count] of Object.entries(other.items)) sent.items[type] = (sent.items[type] ?? 0) + count
      for (const [key, list] of Object.entries(other)) if (Array.isArray(list)) sent[key].push(...list)
    },
  }
}

/** The last exception is the thrown one; those before it are its causes. */
function titleOf(event) {
  return event.exception?.values?.at(-1)?.value ?? event.message
}
