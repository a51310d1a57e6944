/** Page views of our own pages as spans, in the format of the SDK of Next.js. With route patterns only: addresses may contain private data. */

export type OwnView = {
  kind: 'pageload' | 'navigation'
  route: string
  /** Back or forward. */
  isTraverse: boolean
  /** Milliseconds since 1970. */
  from: number
  to: number
  /** Web vitals in milliseconds. */
  vitals: Readonly<Record<string, number>>
  /** Requests of the router for the page. */
  fetches: readonly { from: number; to: number; bytes: number }[]
}

/** `/acme/issues/7` with its parameters is `/[org]/issues/[issueId]`. */
export function patternOf(path: string, params: Readonly<Record<string, string | string[] | undefined>>): string {
  let rest = path.split('/').filter(part => part !== '')
  const found: string[] = []
  const entries = Object.entries(params).map(([name, value]) => [name, value ?? ''] as const)
  while (rest.length > 0) {
    const [head = ''] = rest
    const at = entries.findIndex(([, value]) =>
      typeof value === 'string'
        ? value === head
        : value.length > 0 && value.every((part, index) => part === rest[index]),
    )
    const [[name, value] = ['', '']] = at === -1 ? [] : entries.splice(at, 1)
    if (name === '') found.push(head)
    else found.push(typeof value === 'string' ? `[${name}]` : `[...${name}]`)
    rest = rest.slice(typeof value === 'string' ? 1 : value.length)
  }
  return `/${found.join('/')}`
}

/** An envelope with the view and its requests. */
export function viewEnvelope(dsn: string, view: OwnView, randomHex: (bytes: number) => string): string {
  const traceId = randomHex(16)
  const segmentId = randomHex(8)
  const span = (own: {
    id: string
    from: number
    to: number
    name: string
    op: string
    more: Record<string, unknown>
  }) => ({
    ...{ trace_id: traceId, span_id: own.id, name: own.name, status: 'ok', is_segment: own.id === segmentId },
    ...(own.id === segmentId ? {} : { parent_span_id: segmentId }),
    ...{ start_timestamp: own.from / 1_000, end_timestamp: own.to / 1_000 },
    attributes: Object.fromEntries(
      Object.entries({
        'sentry.op': own.op,
        'sentry.sdk.name': 'sentry.javascript.nextjs',
        'sentry.segment.id': segmentId,
        'sentry.segment.name': view.route,
        'sentry.environment': 'production',
        ...own.more,
      }).map(([name, value]) => [name, { value, type: typeof value === 'number' ? 'double' : 'string' }]),
    ),
  })
  const items = [
    span({
      id: segmentId,
      from: view.from,
      to: view.to,
      name: view.route,
      op: view.kind,
      more: {
        'sentry.origin': `auto.${view.kind}.nextjs.app_router_instrumentation`,
        'sentry.segment.name.source': 'route',
        'url.template': view.route,
        'url.path': view.route,
        ...(view.isTraverse ? { 'navigation.type': 'browser.popstate' } : {}),
        ...Object.fromEntries(
          Object.entries(view.vitals).map(([name, value]) => [`browser.web_vital.${name}.value`, value]),
        ),
      },
    }),
    ...view.fetches.map(({ from, to, bytes }) =>
      span({
        id: randomHex(8),
        from,
        to,
        name: `GET ${view.route}`,
        op: 'http.client',
        more: {
          'sentry.origin': 'auto.http.browser',
          'http.request.method': 'GET',
          'url.full': `${view.route}?_rsc=1`,
          'http.response.body.size': bytes,
        },
      }),
    ),
  ]
  return [
    { dsn, sent_at: new Date(view.to).toISOString() },
    { type: 'span', item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' },
    { items },
  ]
    .map(part => JSON.stringify(part))
    .join('\n')
}
