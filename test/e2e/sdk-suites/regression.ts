import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { discardIssues } from '#domain/issues/commands/delete-issues.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { type Hydrant, type Provisioned, root, until } from '../../start-hydrant.ts'
import { knowsKey } from '../knows-key.ts'
import { queryTelemetry } from '../query-telemetry.ts'

export function testRegression(running: () => Hydrant): void {
  describe('resolved issues', () => {
    let hydrant: Hydrant
    let project: Provisioned
    let control: Control
    let program: ChildProcess

    beforeAll(async () => {
      hydrant = running()
      const owner = ['--email', 'owner@acme.dev', '--password', 'correct horse battery']
      project = await hydrant.init('--org', 'acme', '--project', 'regression', ...owner)
      control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
      await knowsKey(project.dsn)
      const script = join(root, 'test/e2e/released-sdk.mjs')
      program = spawn(process.execPath, [script, project.dsn], { stdio: ['pipe', 'ignore', 'inherit'] })
    })
    afterAll(async () => {
      program?.stdin?.end()
      await control?.close()
    })

    const own = () => project.project.id
    const issues = () =>
      control.db.selectFrom('issue').selectAll().where('project_id', '=', own()).orderBy('id').execute()
    const eventCount = async () =>
      (
        await control.db.selectFrom('issue_hash').select('event_count').where('project_id', '=', own()).execute()
      ).reduce((sum, row) => sum + row.event_count, 0)
    const context = () => ({ db: control.db, actor: 'test', now: Date.now })
    const target = async () => ({ scope: [project.project.id], issueIds: (await issues()).map(({ id }) => id) })

    /** The SDK sends before the program reads its next line. */
    function throwInRelease(release: string): void {
      program.stdin?.write(`${release}\n`)
    }
    async function counted(events: number): Promise<void> {
      await until(async () => (await eventCount()) === events)
    }

    test('an issue resolved in the next release reopens when a newer release sends it again', async () => {
      throwInRelease('shop@1.2.0')
      await counted(1)
      expect(await issues()).toMatchObject([
        { status: 'unresolved', substatus: 'new', priority: 'medium', is_unhandled: 0 },
      ])
      expect(
        await resolveIssues(context(), { ...(await target()), how: { kind: 'in_release', version: 'shop@1.2.0' } }),
      ).toMatchObject({ changed: 1 })

      throwInRelease('shop@1.2.0')
      await counted(2)
      expect(await issues()).toMatchObject([{ status: 'resolved' }])

      throwInRelease('shop@1.10.0')
      await counted(3)
      expect(await issues()).toMatchObject([{ status: 'unresolved', substatus: 'regressed' }])
      const activity = await control.db
        .selectFrom('issue_activity')
        .select(['actor', 'kind', 'detail'])
        .where('project_id', '=', own())
        .orderBy('id')
        .execute()
      expect(activity.map(({ actor, kind }) => `${actor} ${kind}`)).toEqual(['test resolved', 'hydrant regressed'])
      expect(JSON.parse(activity[1]?.detail ?? '')).toMatchObject({ release: 'shop@1.10.0' })
    })

    test('an issue resolved without a release reopens when the same release sends it again', async () => {
      expect(await resolveIssues(context(), { ...(await target()), how: { kind: 'now' } })).toMatchObject({
        changed: 1,
      })
      throwInRelease('shop@1.2.0')
      await counted(4)
      expect(await issues()).toMatchObject([{ status: 'unresolved', substatus: 'regressed' }])
    })

    test('events of a discarded issue are outcomes until the discard is undone', async () => {
      const done = await discardIssues(context(), await target())
      throwInRelease('shop@1.11.0')
      const outcomes = () =>
        queryTelemetry(
          hydrant.dataDir,
          `SELECT reason, toUInt32(sum(quantity)) AS quantity FROM outcomes WHERE project_id = ${own()} AND outcome = 'filtered' GROUP BY reason LIMIT 10`,
          z.object({ reason: z.string(), quantity: z.number() }),
        )
      await until(async () => (await outcomes()).length > 0)
      expect(await outcomes()).toEqual([{ reason: 'discarded', quantity: 1 }])
      expect(await eventCount()).toBe(0)
      const kept = `SELECT toUInt32(count()) AS events FROM events WHERE project_id = ${own()} LIMIT 1`
      expect(await queryTelemetry(hydrant.dataDir, kept, z.object({ events: z.number() }))).toEqual([{ events: 4 }])

      const undo = done.ok ? done.undo : ''
      expect(await undoChange(context(), { mayDo: () => true, scope: [project.project.id], undo })).toMatchObject({
        ok: true,
        changed: 1,
      })
      throwInRelease('shop@1.11.0')
      await counted(5)
    })
  })
}
