import { until } from '../start-hydrant.ts'

/** Waits until the running server has read a key that was made beside it. A client report without entries leaves no row but an outcome. */
export async function knowsKey(dsn: string): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const address = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  const body = '{}\n{"type":"client_report"}\n{"discarded_events":[]}\n'
  await until(async () => (await fetch(address, { method: 'POST', body })).status === 200)
}
