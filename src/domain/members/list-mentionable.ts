import type { Viewer } from '#domain/access/viewer.ts'
import { listMembers } from './list-members.ts'
import { listTeams } from './teams.ts'

/** `id` as issues store it: `user:<id>` or `team:<id>`. `@` and the handle mention them. */
export type MentionTarget = { id: string; handle: string; note: string }

/** Everyone a comment can mention: members by name, or by email if two share the name, then teams by slug. */
export async function listMentionable(viewer: Pick<Viewer, 'control'>): Promise<MentionTarget[]> {
  const [members, teams] = await Promise.all([listMembers(viewer), listTeams(viewer)])
  const named = Map.groupBy(members, ({ name }) => name.trim().toLowerCase())
  return [
    ...members.map(({ id, name, email }) => {
      const isClear = name.trim() !== '' && named.get(name.trim().toLowerCase())?.length === 1
      return { id: `user:${id}`, handle: isClear ? name.trim() : email, note: isClear ? email : name.trim() }
    }),
    ...teams.map(({ id, slug, name }) => ({ id: `team:${id}`, handle: slug, note: `team ${name}` })),
  ]
}

const maxSuggestions = 8

/** Those whose handle or note has a word that starts with the prefix. */
export async function suggestMentions(viewer: Viewer, prefix: string): Promise<MentionTarget[]> {
  const typed = prefix.trim().toLowerCase()
  const startsWord = (text: string) => ` ${text.toLowerCase()}`.includes(` ${typed}`)
  return (await listMentionable(viewer))
    .filter(({ handle, note }) => startsWord(handle) || startsWord(note))
    .slice(0, maxSuggestions)
}
