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

export async function makeWorld(control: Control): Promise<World> {
  const clock = { now: startedAt }
  const setup = { db: control.db, actor: 'test', now: () => clock.now }
  const made = await setUp(setup, {
    owner: { email: 'ada@example.com', password: 'correct horse' },
    organization: { slug: 'acme' },
    project: { slug: 'web' },
  })
  if (!made.ok) throw new Error(made.code)
  const { organization_id } = await control.db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', made.project.id)
    .executeTakeFirstOrThrow()
  const other = await createProject(setup, { organizationId: organization_id, slug: 'other' })
  if (!other.ok) throw new Error(other.code)
  const context = { ...setup, actor: `user:${made.userId}` }
  let last = 0
  const addIssue = async (given: NewIssue = {}): Promise<number> => {
    const number = given.number ?? ++last
    const projectId = given.projectId ?? made.project.id
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
  return { control, clock, context, userId: made.userId, web: made.project.id, other: other.project.id, addIssue }
}
