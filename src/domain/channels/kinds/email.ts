import { z } from 'zod'
import { defineKind } from './kind.ts'

/** Who gets the mail of a channel, resolved when it is sent. */
export type RecipientRule =
  | { kind: 'assignee' }
  | { kind: 'members' }
  | { kind: 'user'; id: string }
  | { kind: 'team'; slug: string }
  | { kind: 'address'; address: string }

const maxEntries = 50
const addressPattern = /^[^\s@<>(),;:"[\]\\]{1,64}@[^\s@<>(),;:"[\]\\]{1,190}$/

/** `assignee`, `members`, `team:<slug>` and addresses, by commas or lines. Null for anything else. */
export function readRecipients(text: string): RecipientRule[] | null {
  const entries = text
    .split(/[\n,]/)
    .map(entry => entry.trim())
    .filter(Boolean)
  if (entries.length === 0 || entries.length > maxEntries) return null
  const rules = entries.map((entry): RecipientRule | null => {
    if (entry === 'assignee' || entry === 'members') return { kind: entry }
    if (entry.startsWith('team:')) return { kind: 'team', slug: entry.slice(5) }
    if (entry.startsWith('user:')) return { kind: 'user', id: entry.slice(5) }
    return addressPattern.test(entry) ? { kind: 'address', address: entry } : null
  })
  return rules.every(rule => rule !== null) ? rules : null
}

export const email = defineKind({
  id: 'email',
  label: 'Email',
  summary: 'Mail to members, teams or addresses, one thread per issue.',
  note: 'The mail server has accepted the mail. It may still end up as spam; look for it in the inbox.',
  fields: [
    {
      name: 'to',
      label: 'Recipients',
      value: 'assignee, members',
      help: 'assignee, members, team:name or addresses, separated by commas. The assignee of an issue gets its mail in addition to the others. Members can switch mail off for themselves.',
      isLong: true,
    },
  ],
  sample: {},
  schema: z.object({
    to: z
      .string()
      .max(5_000)
      .refine(
        text => readRecipients(text) !== null,
        `Enter 1 to ${maxEntries} of: assignee, members, team:name, name@example.com.`,
      ),
  }),
  target: ({ to }) =>
    to
      .split(/[\n,]/)
      .map(entry => entry.trim())
      .filter(Boolean)
      .join(', '),
  render: null,
})
