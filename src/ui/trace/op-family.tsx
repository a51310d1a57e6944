/** Operations are colored by family, because readers look for databases or rendering, not for `db.sql.prisma`. */
export const opFamilies = {
  page: 'Page',
  resource: 'Resource',
  http: 'HTTP',
  edge: 'Edge',
  render: 'Code, render',
  db: 'Database, cache',
  block: 'Blocked',
} as const
type OpFamily = keyof typeof opFamilies

const rules: [RegExp, OpFamily][] = [
  [/^(?:pageload|navigation|browser\.paint|ui\.webvital|ui\.interaction)/, 'page'],
  [/^(?:resource|browser\.(?:dns|connect|cache|tls|secure|domainLookup))/i, 'resource'],
  [/^(?:http|rpc|browser\.(?:request|response)|graphql|websocket)/, 'http'],
  // Of Next.js. That of Express and others is code of the server.
  [/^middleware(?:\.nextjs)?$/, 'edge'],
  [/^(?:db|cache|redis|queue)/, 'db'],
  [/^ui\.long/, 'block'],
]

export function opFamily(op: string): OpFamily {
  return rules.find(([pattern]) => pattern.test(op))?.[1] ?? (op.startsWith('browser') ? 'page' : 'render')
}

/** `function.react_router.loader` is a loader. The name of its package would leave no room for that of the span. */
export const opLabel = (op: string): string => /^function\.\w+\.(\w+)$/.exec(op)?.[1]?.replaceAll('_', ' ') ?? op

/** Queries are source text, so they are set in mono. */
export const isQueryOp = (op: string): boolean => op === 'db' || op.startsWith('db.')

export function Legend() {
  return (
    <ul className="legend" aria-label="Colors">
      {Object.entries(opFamilies).map(([family, label]) => (
        <li key={family}>
          <i style={{ background: `var(--op-${family})` }} />
          {label}
        </li>
      ))}
    </ul>
  )
}
