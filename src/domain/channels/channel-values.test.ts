import { expect, test } from 'vitest'
import { channelChange, channelValues } from './channel-values.ts'
import { channelKinds } from './kinds/list.ts'

const kindOf = (id: string) => {
  const kind = channelKinds.find(each => each.id === id)
  if (kind === undefined) throw new Error(`there is no kind ${id}`)
  return kind
}

test('no secret and no address of a channel reaches the audit log', () => {
  for (const kind of channelKinds) {
    const settings = Object.fromEntries(
      kind.fields.map(({ name, isSecret }) => [
        name,
        isSecret ? 'hush' : name === 'url' ? 'https://c.example/hush' : 'a@b.example',
      ]),
    )
    const after = { name: 'c', project: '', kind, settings }
    const told = JSON.stringify([channelValues(after), channelChange({ ...after, settings: {} }, after)])
    expect(told).not.toMatch(/hush|b\.example/)
    const changed = channelChange({ ...after, settings: { ...settings } }, after)
    expect(changed).toEqual({ before: {}, after: {} })
  }
})

test('a change names the field, and of a secret only that it was replaced', () => {
  const kind = kindOf('email')
  const channel = { name: 'mail', project: 'web', kind, settings: { to: 'members, ada@example.com' } }
  expect(channelChange(channel, { ...channel, project: '', settings: { to: 'assignee' } })).toEqual({
    before: { project: 'web', recipients: 'members, 1 address' },
    after: { project: 'all', recipients: 'assignee' },
  })
  expect(channelChange(channel, { ...channel, settings: { to: 'members, bob@example.com' } })).toEqual({
    before: { recipients: 'hidden' },
    after: { recipients: 'replaced' },
  })
})
