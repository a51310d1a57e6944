import { copyFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openControl } from '#store/control/open-control.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { postEvent } from '../e2e/post-event.ts'
import { longTest } from '../long.ts'
import { startHydrant, until } from '../start-hydrant.ts'
import { compareCounters } from './compare-counters.ts'
import { idOf } from './envelopes.ts'

const owner = ['--org', 'acme', '--project', 'web', '--email', 'owner@acme.dev', '--password', 'correct horse battery']

longTest(
  'counters and issues are rebuilt after control.db was restored from a backup, and after its log was cut',
  async () => {
    const hydrant = await startHydrant({ env: { HYDRANT_ROLES: 'ingest,jobs' } })
    const { dataDir } = hydrant
    const file = (name: string) => join(dataDir, name)
    try {
      const { dsn, project } = await hydrant.init(...owner)
      let number = 0
      const engineIsUp = () => until(async () => (await hydrant.metrics()).get('hydrant_engine_up') === 1)
      const send = async (count: number) => {
        for (let each = 0; each < count; each++)
          await until(async () => (await postEvent(dsn, idOf(project.id, ++number))) === 200)
        await engineIsUp()
        await hydrant.drained()
      }
      const differences = async () => {
        const telemetry = openTelemetry({ kind: 'socket', socketPath: file('run/engine.sock') })
        const control = openControl({ dataDir })
        try {
          return await compareCounters(control, telemetry, project.id)
        } finally {
          await control.close()
          await telemetry.close()
        }
      }
      /** The job starts some seconds after the process. */
      const rebuilt = async () => {
        await engineIsUp()
        await until(async () => (await differences()).length === 0)
      }

      await send(1)
      await hydrant.kill('SIGTERM')
      await copyFile(file('control.db'), file('copy.db')) // complete without its log, which a stop empties
      await hydrant.start()
      await send(8)
      expect(await differences()).toEqual([])
      await hydrant.kill('SIGTERM')
      await copyFile(file('copy.db'), file('control.db'))
      await hydrant.start()
      await until(() => hydrant.output().includes('control database is older than the inbox'))
      await rebuilt()
      // The counters are right a moment before the job says so.
      await until(() => hydrant.output().includes('differed from the stored events; repaired'))

      await send(4)
      await hydrant.kill()
      await cutLog(file('control.db-wal'))
      await rm(file('control.db-shm'), { force: true })
      await hydrant.start()
      await send(1)
      await rebuilt()
    } finally {
      await hydrant.stop()
    }
  },
)

async function cutLog(path: string): Promise<void> {
  const size = (await stat(path).catch(() => null))?.size ?? 0
  if (size > 0) await truncate(path, Math.floor(size / 2))
}
