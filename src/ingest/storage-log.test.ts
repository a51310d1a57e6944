import { expect, test } from 'vitest'
import { envelopePath, openIngest } from '../../test/open-ingest.ts'

test('a full disk is logged once when it begins and once when it ends', async () => {
  const ingest = await openIngest()
  const send = () => ingest.send(envelopePath, '{}\n{"type":"event"}\n{}')
  ingest.state.isBroken = true
  const refused = [await send(), await send(), await send()].map(({ status }) => status)
  ingest.state.isBroken = false
  const accepted = [await send(), await send()].map(({ status }) => status)
  await ingest.close()
  expect(refused.every(status => status >= 500)).toBe(true)
  expect(accepted).toEqual([200, 200])
  const about = ingest.lines.filter(({ message }) => message.startsWith('events '))
  expect(about).toEqual([
    expect.objectContaining({ level: 'error', reason: 'no space left on device' }),
    expect.objectContaining({ level: 'info', failures: 3 }),
  ])
  expect(JSON.stringify(ingest.lines)).not.toContain('stack')
})
