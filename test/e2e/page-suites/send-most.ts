import { shopEvent } from '../issue-events.ts'
import { postEnvelope } from '../post-envelope.ts'
import { recipientOf, replayScenario } from '../trace-scenes.ts'

/** The seed takes ten seconds of processor time: for a few pages, recorded visits and some errors are enough. */
export async function sendMost(dsn: string): Promise<void> {
  for (const index of Array(10).keys()) {
    const exception = { values: [{ type: `${'ABCDEFGHIJ'[index]}Error`, value: 'went wrong' }] }
    await postEnvelope(dsn, { exception, release: 'shop@1.0.0', environment: 'production' })
  }
  const { exception, ...event } = shopEvent(1)
  await postEnvelope(dsn, { ...event, exception: { values: exception.values.slice(0, 1) } })
  for (const scenario of ['next-hydration', 'next-pageload-param', 'next-server-component-error'])
    await replayScenario(scenario, recipientOf(dsn))
}
