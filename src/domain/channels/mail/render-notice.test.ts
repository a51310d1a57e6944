import { expect, test } from 'vitest'
import { renderNotice } from './render-notice.ts'

test('a name adds neither a line nor a tag nor a direction of text to a mail', () => {
  const name = 'Eve\r\n\r\nYour account is locked: \u202eelpmaxe.live\u202c <a href="https://evil.example">open</a>'
  const { subject, text, html } = renderNotice({
    to: 'ada@example.com',
    title: `${name} invites you to ${name} on Hydrant`,
    lines: [`Join ${name}.`],
    button: { label: 'Accept', url: 'https://hydrant.example/invite/x' },
    note: `Sent because ${name} entered your address.`,
  })
  expect(subject).not.toMatch(/[\r\n]/)
  expect(text.split('\n\n').map(part => part.split(' ')[0])).toEqual(['Eve', 'Join', 'Accept:', 'Sent'])
  expect(`${subject}${text}${html}`).not.toContain('\u202e')
  expect(html).not.toContain('<a href="https://evil.example"')
})
