import { beforeEach, expect, test } from 'vitest'
import { eraseFromAudit } from '#domain/audit/erase-audit.ts'
import { listAudit, listAuditSubjects, readAuditLog } from '#domain/audit/list-audit.ts'
import { recordAuditExport } from '#domain/audit/record-export.ts'
import { verifyChain, verifyEntries } from '#domain/audit/verify-audit.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { changeMemberRole } from '#domain/members/change-member.ts'
import { createTeam } from '#domain/members/teams.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { viewAs } from '../view-as.ts'
import { type MembersWorld, makeMembersWorld } from './members-world.ts'
import { onEachEngine } from './on-each-engine.ts'

const origin = { address: '203.0.113.40', agent: 'Mozilla/5.0 \0\ud800 (test)' }

onEachEngine(({ newAcme, dialect }) => {
  let world: MembersWorld
  let admin: string
  beforeEach(async () => {
    world = await makeMembersWorld(await newAcme())
    admin = await world.add('alan', 'admin')
  })
  const viewer = () =>
    viewAs(
      { control: world.control },
      { projects: [], organization: { id: world.organizationId, slug: 'acme', name: '' }, now: world.clock.now },
    )
  const verify = () => verifyChain({ db: world.control.db }, world.organizationId)
  const everything = { text: '', subject: '', from: 0 }
  const changeRole = (role: 'viewer' | 'member') =>
    changeMemberRole(
      { ...world.as(world.owner), origin },
      { organizationId: world.organizationId, userId: admin, role },
    )

  test('an entry says who, from where, what, before and after, and keeps names that change later', async () => {
    await changeRole('viewer')
    await world.control.db.updateTable('user').set({ name: 'Renamed' }).execute()
    const { entries } = await listAudit(viewer(), everything)
    expect(entries[0]).toMatchObject({
      ...{ actor: `user:${world.owner}`, actorLabel: 'ada', action: 'member.role', target: `user:${admin}` },
      ...{ targetLabel: 'alan', address: '203.0.113.40', agent: 'Mozilla/5.0 \ufffd (test)' },
      ...{ before: { role: 'admin' }, after: { role: 'viewer' }, isErased: false },
    })
  })

  test('entries are found by words of any field, by subject and by time, in pages, and only of the organization', async () => {
    await changeRole('viewer')
    const other = await createOrganization(world.context, { slug: 'globex' })
    if (!other.ok) throw new Error(other.code)
    const count = async (filter: Partial<typeof everything>) =>
      (await listAudit(viewer(), { ...everything, ...filter })).entries.length
    expect(await count({ text: '203.0.113' })).toBe(1)
    expect(await count({ text: 'ALAN viewer' })).toBe(1)
    expect(await count({ text: '%' })).toBe(0)
    expect(await count({ text: 'globex' })).toBe(0)
    expect(await count({ subject: 'project_key' })).toBeGreaterThan(0)
    expect(await count({ subject: 'project' })).toBe(await count({ text: 'project.create' }))
    expect(await count({ from: world.clock.now + 1 })).toBe(0)
    expect(await listAuditSubjects(viewer())).toContain('member')
    const all = (await listAudit(viewer(), everything)).entries
    const [, second] = all
    const older = await listAudit(viewer(), { ...everything, before: second?.id })
    expect(older.entries).toEqual(all.slice(2))
  })

  test('the chain is whole after commands that run at the same time, and a failed one leaves no entry', async () => {
    const team = (slug: string) =>
      createTeam(world.context, { organizationId: world.organizationId, slug, name: slug, userIds: [] })
    const before = (await verify()).entries
    await Promise.all(['a', 'b', 'c', 'd', 'a', 'b', 'e', 'f'].map(team))
    const result = await verify()
    expect(result).toMatchObject({ entries: before + 6, fault: null, erased: 0, unchained: 0 })
    const stored: number[] = []
    for await (const row of readAuditLog(viewer())) stored.push(row.position ?? 0)
    expect(stored).toEqual(Array.from({ length: before + 6 }, (_, index) => index + 1))
  })

  test.each([
    ['another actor', { actor: 'user:someone' }, 'changed'],
    ['another time', { at: 1 }, 'changed'],
    ['another detail', { after: '{"role":"owner"}' }, 'content_changed'],
    ['another address', { address: '198.51.100.1' }, 'content_changed'],
    ['content under the name of an erasure', { salt: '', address: '198.51.100.1' }, 'content_changed'],
  ] as const)('an entry with %s is found', async (_name, change, reason) => {
    await changeRole('viewer')
    await changeRole('member')
    const { entries } = await verify()
    await world.control.db
      .updateTable('audit')
      .set(change)
      .where('position', '=', entries - 1)
      .where('organization_id', '=', world.organizationId)
      .execute()
    expect((await verify()).fault).toEqual({ position: entries - 1, reason })
  })

  test('a removed entry is found, in the middle and at the end', async () => {
    await changeRole('viewer')
    await changeRole('member')
    const { entries } = await verify()
    const remove = (position: number) =>
      world.control.db
        .deleteFrom('audit')
        .where('position', '=', position)
        .where('organization_id', '=', world.organizationId)
        .execute()
    await remove(entries)
    expect((await verify()).fault).toEqual({ position: entries, reason: 'missing' })
    await remove(2)
    expect((await verify()).fault).toEqual({ position: 2, reason: 'missing' })
  })

  test('a person is erased from the log, and the chain still holds', async () => {
    await changeRole('viewer')
    await eraseFromAudit(world.context, { userId: admin })
    const rows = await world.control.db.selectFrom('audit').selectAll().where('action', '!=', 'audit.erase').execute()
    expect(JSON.stringify(rows)).not.toContain('alan')
    expect(JSON.stringify(rows.filter(row => row.target === `user:${admin}`))).not.toContain('203.0.113.40')
    const result = await verify()
    expect(result).toMatchObject({ fault: null, erased: 2 })
    expect((await verifyChain({ db: world.control.db }, null)).fault).toBeNull()
  })

  test('an export can be verified without the database, and is itself in the log', async () => {
    await recordAuditExport(world.context, { organizationId: world.organizationId })
    const lines: string[] = []
    for await (const row of readAuditLog(viewer())) lines.push(JSON.stringify(row))
    async function* parsed(from: string[]) {
      for (const line of from) yield JSON.parse(line)
    }
    const { entries, fault } = await verifyEntries(parsed(lines))
    expect([entries, fault]).toEqual([lines.length, null])
    expect(lines.at(-1)).toContain('audit.export')
    const forged = lines.map(line => line.replace('203.0.113.40', '203.0.113.41').replace('"ada"', '"eve"'))
    expect((await verifyEntries(parsed(forged))).fault).not.toBeNull()
  })

  test('a token is named, and entries from before the chain are counted apart', async () => {
    const { organizationId, control } = world
    const made = await createAuthToken(world.context, { organizationId, name: 'deploy-bot', publicUrl: '' })
    if (!made.ok) throw new Error(made.code)
    const byToken = { ...world.context, actor: `token:${made.id}` }
    await control.db
      .transaction()
      .execute(db =>
        writeAudit(
          { ...byToken, db },
          { organizationId, action: 'release.create', target: 'release:1', detail: { version: 'web@1' } },
        ),
      )
    const old = { organization_id: organizationId, actor: 'cli', action: 'old', target: '', detail: '{}', at: 1 }
    await control.db.insertInto('audit').values(old).execute()
    const { entries } = await listAudit(viewer(), { ...everything, text: 'deploy-bot web@1' })
    expect(entries).toMatchObject([{ actorLabel: 'deploy-bot', targetLabel: 'web@1' }])
    expect(await verify()).toMatchObject({ unchained: 1, fault: null })
    expect(dialect).toBe(control.dialect)
  })
})
