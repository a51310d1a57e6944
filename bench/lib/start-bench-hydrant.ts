import { type Hydrant, startHydrant } from '../../test/start-hydrant.ts'
import { envelopeTarget } from './envelope-target.ts'

export type BenchHydrant = Hydrant & { target: { port: number; path: string } }

/** A Hydrant in a folder of its own with one project. Without `web` the pages are left out: they would only sleep. */
export async function startBenchHydrant(options: { web: boolean }): Promise<BenchHydrant> {
  const env = { HYDRANT_LOG_LEVEL: 'warn', ...(options.web ? {} : { HYDRANT_ROLES: 'ingest,jobs' }) }
  const hydrant = await startHydrant({ env })
  const { dsn } = await hydrant.init(
    '--org',
    'acme',
    '--project',
    'web',
    '--email',
    'bench@example.com',
    '--password',
    'correct horse battery',
  )
  await new Promise(resolve => setTimeout(resolve, 1_000)) // the running server knows a new key within a second
  return Object.assign(hydrant, { target: envelopeTarget(dsn) })
}
