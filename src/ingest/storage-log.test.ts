import { expect, test } from 'vitest'
import { envelopePath, openDoor } from '../../test/open-door.ts'

test('a disk that stays full is one line in the log, and its end another', async () => {
  const door = await openDoor()
  const send = () => door.send(envelopePath, '{}\n{"type":"event"}\n{}')
  door.state.isBroken = true
  const refused = [await send(), await send(), await send()].map(({ status }) => status)
  door.state.isBroken = false
  const accepted = [await send(), await send()].map(({ status }) => status)
  await door.close()
  expect(refused.every(status => status >= 500)).toBe(true)
  expect(accepted).toEqual([200, 200])
  const about = door.lines.filter(({ message }) => message.startsWith('events '))
  expect(about).toEqual([
    expect.objectContaining({ level: 'error', reason: 'no space left on device' }),
    expect.objectContaining({ level: 'info', failures: 3 }),
  ])
  expect(JSON.stringify(door.lines)).not.toContain('stack')
})
