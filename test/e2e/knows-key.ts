import { until } from '../start-hydrant.ts'

/** Waits until the running server knows a key that another process created. An empty client report leaves only an outcome. */
export async function knowsKey(dsn: string): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const address = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  const body = '{}\n{"type":"client_report"}\n{"discarded_events":[]}\n'
  await until(async () => (await fetch(address, { method: 'POST', body })).status === 200)
}
