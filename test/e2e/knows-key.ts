import { until } from '../start-hydrant.ts'

/** Waits until the running server knows a key that another process created. */
export const knowsKey = (dsn: string): Promise<void> => until(async () => (await probeKey(dsn)) === 200)

/** The status of an empty client report, which leaves only an outcome. */
export async function probeKey(dsn: string): Promise<number> {
  const { origin, username, pathname } = new URL(dsn)
  const address = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
  const body = '{}\n{"type":"client_report"}\n{"discarded_events":[]}\n'
  const response = await fetch(address, { method: 'POST', body })
  await response.text()
  return response.status
}
