/** An organization with two projects, and issues to work on. */
import type { CommandContext } from '#domain/access/command-context.ts'
import { createProject } from '#domain/projects/create-project.ts'
import { setUp } from '#domain/projects/provision.ts'
import { addUsers, countUsers, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'
import type { Control } from '#store/control/control.ts'

export const startedAt = 1_794_700_000_000
export const hashOf = (name: string | number): string => `${name}`.padStart(32, '0')

export type NewIssue = {
  number?: number
  projectId?: number
  events?: number
  users?: string[]
  release?: string
  hashes?: string[]
}
export type World = {
  control: Control
  /** The clock of all that happens in it. */
  clock: { now: number }
  context: CommandContext
  userId: string
  web: number
  other: number
  addIssue(given?: NewIssue): Promise<number>
}

/** In a database that may have the organization already: the hash of a password takes longer than most tests. */
export async function makeWorld(control: Control): Promise<World> {
  const clock = { now: startedAt }
  const { userId, web, other } = (await findAcme(control)) ?? (await addAcme(control))
  const context = { db: control.db, actor: `user:${userId}`, now: () => clock.now }
  let last = 0
  const addIssue = async (given: NewIssue = {}): Promise<number> => {
    const number = given.number ?? ++last
    const projectId = given.projectId ?? web
    const issue = {
      number,
      project_id: projectId,
      title: `Error: ${number}`,
      culprit: '',
      kind: 'error',
      level: 'error',
    }
    const { id } = await control.db
      .insertInto('issue')
      .values({ ...issue, status: 'unresolved', created_at: startedAt, substatus_at: startedAt })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sketch = addUsers(emptyUserSketch, given.users ?? [])
    const release = given.release ?? ''
    for (const group_hash of given.hashes ?? [hashOf(number)])
      await control.db
        .insertInto('issue_hash')
        .values({
          project_id: projectId,
          group_version: 1,
          group_hash,
          issue_id: id,
          event_count: given.events ?? 1,
          first_seen: startedAt,
          last_seen: startedAt,
          first_release: release,
          last_release: release,
          last_event_id: '',
          user_sketch: encodeUserSketch(sketch),
          user_count: countUsers(sketch),
        })
        .execute()
    return id
  }
  return { control, clock, context, userId, web, other, addIssue }
}

type Acme = Pick<World, 'userId' | 'web' | 'other'>

export async function addAcme({ db }: Pick<Control, 'db'>): Promise<Acme> {
  const context = { db, actor: 'test', now: () => startedAt }
  const made = await setUp(context, {
    owner: { email: 'ada@example.com', password: 'correct horse' },
    organization: { slug: 'acme' },
    project: { slug: 'web' },
  })
  if (!made.ok) throw new Error(made.code)
  const other = await createProject(context, { organizationId: made.organization.id, slug: 'other' })
  if (!other.ok) throw new Error(other.code)
  return { userId: made.userId, web: made.project.id, other: other.project.id }
}

async function findAcme({ db }: Pick<Control, 'db'>): Promise<Acme | null> {
  const user = await db.selectFrom('user').select('id').executeTakeFirst()
  if (user === undefined) return null
  const projects = await db.selectFrom('project').select(['id', 'slug']).execute()
  const idOf = (slug: string) => projects.find(project => project.slug === slug)?.id ?? 0
  return { userId: user.id, web: idOf('web'), other: idOf('other') }
}
