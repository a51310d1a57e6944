import { createIds } from '../create-ids.ts'
import { until } from '../start-hydrant.ts'

const nextId = createIds('envelope')

/** Sends one event with attachments, as an SDK would. */
export async function postEnvelope(dsn: string, event: object, attachments: string[] = []): Promise<string> {
  const { origin, username, pathname } = new URL(dsn)
  const event_id = nextId()
  const items = attachments.map((text, index) => {
    const head = {
      type: 'attachment',
      length: Buffer.byteLength(text),
      filename: `../report <${index}>.html`,
      content_type: 'text/html',
    }
    return `${JSON.stringify(head)}\n${text}\n`
  })
  const lines = [JSON.stringify({ event_id }), '{"type":"event"}', JSON.stringify({ event_id, ...event }), ...items]
  let answer = ''
  // A new key is known within a second.
  await until(async () => {
    const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
      method: 'POST',
      body: lines.join('\n'),
    })
    answer = `${response.status} ${await response.text()}`
    return response.status === 200 || response.status === 413
  })
  if (!answer.startsWith('200')) throw new Error(`the envelope was answered with ${answer}`)
  return event_id
}
