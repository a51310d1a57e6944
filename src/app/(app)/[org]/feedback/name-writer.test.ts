import { expect, test } from 'vitest'
import { nameWriter, replyHref } from './name-writer.ts'

test('a writer is called as they call themselves', () => {
  expect(nameWriter({ name: 'Elin S.', email: 'elin@shop.example' })).toBe('Elin S.')
  expect(nameWriter({ name: '', email: 'elin@shop.example' })).toBe('elin@shop.example')
  expect(nameWriter({ name: '', email: '' })).toBe('Anonymous')
})

test('a reply quotes the message', () => {
  const href = replyHref({ email: 'elin@shop.example', message: 'Two lines\nof text' }) ?? ''
  expect(href).toMatch(/^mailto:elin%40shop\.example\?subject=/)
  expect(new URLSearchParams(href.split('?')[1]).get('body')).toBe('\r\n\r\n> Two lines\r\n> of text')
})

test.each(['', 'nobody', 'a@b.example?bcc=c@d.example x', 'a@b.example,c@d.example', '<a@b.example>'])(
  'there is no reply to %j',
  email => {
    expect(replyHref({ email, message: 'x' })).toBeNull()
  },
)

test('an address cannot add fields to the mail', () => {
  const href = replyHref({ email: 'a@b.example?bcc=c%0d%0a&body=x', message: 'x' }) ?? ''
  expect(new URL(href).pathname).toBe('a%40b.example%3Fbcc%3Dc%250d%250a%26body%3Dx')
})
