import { beforeEach, expect, test } from 'vitest'
import { deleteComment, editComment, restoreComment } from '#domain/issues/commands/change-comment.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { linkTicket, unlinkTicket } from '#domain/issues/commands/link-ticket.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { undoForMs } from '#domain/issues/commands/write-activity.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listIssueActivity } from '#domain/issues/list-issue-activity.ts'
import { listIssueTickets } from '#domain/issues/list-issue-tickets.ts'
import { addMember, insertUser } from '#domain/members/add-member.ts'
import { suggestMentions } from '#domain/members/list-mentionable.ts'
import { createTeam } from '#domain/members/teams.ts'
import { purgeDeleted } from '#jobs/purge-deleted.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

onEachEngine(({ newAcme }) => {
  let world: World
  let organizationId: number
  let issueId: number
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    const { control } = world
    const project = await control.db.selectFrom('project').select('organization_id').executeTakeFirstOrThrow()
    organizationId = project.organization_id
    issueId = await world.addIssue()
  })

  const rows = () => world.control.db.selectFrom('issue_activity').selectAll().orderBy('id').execute()
  const details = async () => (await rows()).map(({ detail }) => JSON.parse(detail))
  const comment = async (text: string, context = world.context): Promise<number> => {
    expect(await commentOnIssue(context, { scope: [world.web], issueId, text })).toEqual({ ok: true })
    return (await rows()).at(-1)?.id ?? 0
  }
  const own = (commentId: number, scope = [world.web]) => ({ scope, issueId, commentId })
  const viewer = () =>
    viewAs(
      { control: world.control, telemetry: {} as never },
      { organization: { id: organizationId, slug: 'acme', name: 'Acme' }, projects: [world.web], now: world.clock.now },
    )
  const addUser = async (name: string, email: string): Promise<string> => {
    const made = await insertUser(world.context, { name, email, passwordHash: 'x' })
    if (!made.ok) throw new Error(made.code)
    await addMember(world.context, { organizationId, userId: made.userId, role: 'member' })
    return made.userId
  }

  test('a comment keeps the ids of the members and teams that it mentions, outside of code', async () => {
    const grace = await addUser('Grace Hopper', 'grace@example.com')
    const first = await addUser('Sam', 'sam@example.com')
    const second = await addUser('sam', 'sam2@example.com')
    const team = await createTeam(world.context, { organizationId, slug: 'checkout', name: 'Checkout', userIds: [] })
    const text = 'Look, @grace hopper and @checkout; not `@sam`, but @sam2@example.com'
    await comment(text)
    await comment('nobody@example.com')
    expect(await details()).toEqual([
      { text, mentions: [`user:${grace}`, `team:${team.ok ? team.teamId : ''}`, `user:${second}`] },
      { text: 'nobody@example.com' },
    ])
    const suggested = await suggestMentions(viewer(), 'sam')
    expect(new Map(suggested.map(({ id, handle }) => [id, handle]))).toEqual(
      new Map([
        [`user:${first}`, 'sam@example.com'],
        [`user:${second}`, 'sam2@example.com'],
      ]),
    )
    expect((await suggestMentions(viewer(), 'hop')).map(({ handle }) => handle)).toEqual(['Grace Hopper'])
  })

  test('only who wrote a comment edits it, within the scope, and the audit log has it', async () => {
    const id = await comment('first')
    world.clock.now += 5_000
    const strangers = { ...world.context, actor: 'user:somebody' }
    const missing = { ok: false, code: 'comment_not_found' }
    expect(await editComment(strangers, { ...own(id), text: 'no' })).toEqual(missing)
    expect(await editComment(world.context, { ...own(id, [world.other]), text: 'no' })).toEqual(missing)
    expect(await editComment(world.context, { ...own(id), text: ' ' })).toEqual({ ok: false, code: 'comment_empty' })
    expect(await editComment(world.context, { ...own(id), text: 'second' })).toEqual({ ok: true })
    expect(await details()).toEqual([{ text: 'second', edited_at: world.clock.now }])
    const audit = await world.control.db.selectFrom('audit').select('action').orderBy('id').execute()
    expect(audit.slice(-2).map(({ action }) => action)).toEqual(['issue.comment', 'issue.edit_comment'])
  })

  test('a deleted comment is gone for readers, restored exactly within the hour, and purged later', async () => {
    const kept = await comment('kept')
    const id = await comment('regretted')
    const before = await rows()
    const strangers = { ...world.context, actor: 'user:somebody' }
    expect(await deleteComment(strangers, own(id))).toEqual({ ok: false, code: 'comment_not_found' })
    const gone = await deleteComment(world.context, own(id))
    const undo = gone.ok ? gone.undo : ''
    expect((await rows()).map(row => row.id)).toEqual([kept])
    const found = await findIssue(viewer(), issueId)
    expect(found && (await listIssueActivity(viewer(), found)).map(entry => entry.id)).toEqual([kept])
    const scope = [world.web]
    expect(await restoreComment(strangers, { scope, undo })).toEqual({ ok: false, code: 'undo_not_found' })
    expect(await restoreComment(world.context, { scope: [world.other], undo })).toMatchObject({ ok: false })
    expect(await restoreComment(world.context, { scope, undo })).toEqual({ ok: true })
    expect(await rows()).toEqual(before)
    expect(await restoreComment(world.context, { scope, undo })).toEqual({ ok: false, code: 'undo_not_found' })

    const again = await deleteComment(world.context, own(id))
    world.clock.now += undoForMs + 1
    const late = { scope, undo: again.ok ? again.undo : '' }
    expect(await restoreComment(world.context, late)).toEqual({ ok: false, code: 'undo_expired' })
    const purge = () => purgeDeleted(world.control, {} as never, { kind: 'single' }, world.clock.now)
    await purge()
    expect(await world.control.db.selectFrom('deleted_comment').select('id').execute()).toHaveLength(1)
    world.clock.now += undoForMs
    await purge()
    expect(await world.control.db.selectFrom('deleted_comment').select('id').execute()).toHaveLength(0)
  })

  test('a ticket is linked once by a web address, shown on the surviving issue, and unlinked', async () => {
    const link = (url: string, title = '', id = issueId, scope = [world.web]) =>
      linkTicket(world.context, { scope, issueId: id, url, title })
    for (const url of [
      '',
      'tracker',
      'javascript:alert(1)',
      'ftp://x.example',
      `https://x.example/${'a'.repeat(2_000)}`,
    ])
      expect(await link(url), url).toEqual({ ok: false, code: 'url_invalid' })
    expect(await link('https://x.example', 'a'.repeat(201))).toEqual({ ok: false, code: 'title_too_long' })
    expect(await link('https://x.example/1', '', issueId, [world.other])).toMatchObject({ code: 'issue_not_found' })
    expect(await link(' https://X.example/1 ', ' Checkout\0 fails ')).toEqual({ ok: true })
    expect(await link('https://x.example/1')).toEqual({ ok: false, code: 'ticket_taken' })
    const survivor = await world.addIssue()
    await mergeIssues(world.context, { projectId: world.web, targetIssueId: survivor, issueIds: [issueId] })
    const found = await findIssue(viewer(), survivor)
    const shown = found ? await listIssueTickets(viewer(), found) : []
    expect(shown).toEqual([{ id: shown[0]?.id, url: 'https://x.example/1', title: 'Checkout fails' }])
    const ticketId = shown[0]?.id ?? 0
    const unlink = (id: number, scope = [world.web]) => unlinkTicket(world.context, { scope, issueId: id, ticketId })
    expect(await unlink(survivor, [world.other])).toEqual({ ok: false, code: 'ticket_not_found' })
    expect(await unlink(survivor + 1)).toEqual({ ok: false, code: 'ticket_not_found' })
    expect(await unlink(survivor)).toEqual({ ok: true })
    expect(found && (await listIssueTickets(viewer(), found))).toEqual([])
    expect((await rows()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['linked', 'unlinked']))
  })

  test('an issue has at most 50 tickets', async () => {
    const link = (number: number) =>
      linkTicket(world.context, { scope: [world.web], issueId, url: `https://x.example/${number}`, title: '' })
    for (let number = 0; number < 50; number++) expect(await link(number)).toEqual({ ok: true })
    expect(await link(50)).toEqual({ ok: false, code: 'too_many_tickets' })
  })
})
