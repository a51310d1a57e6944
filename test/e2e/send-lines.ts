import { until } from '../start-hydrant.ts'

export type Line = {
  body: unknown
  level?: string
  attributes?: Record<string, unknown>
  at?: number
  traceId?: string
  spanId?: string
}

/** As an SDK sends its buffer: resolves when the lines are acknowledged. */
export async function sendLines(dsn: string, lines: Line[]): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const items = lines.map(({ body, level = 'info', attributes = {}, at = Date.now(), traceId: trace, spanId }) => ({
    timestamp: at / 1_000,
    level,
    body,
    trace_id: trace ?? 'f'.repeat(32),
    ...(spanId ? { span_id: spanId } : {}),
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        { value, type: typeof value === 'number' ? 'integer' : 'string' },
      ]),
    ),
  }))
  const head = { type: 'log', item_count: items.length, content_type: 'application/vnd.sentry.items.log+json' }
  const body = ['{}', JSON.stringify(head), JSON.stringify({ version: 2, items })].join('\n')
  await until(async () => {
    const url = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
    const response = await fetch(url, { method: 'POST', body }).catch(() => null)
    return response?.status === 200
  })
}
