/** Real SDKs and recordings of them send to a Hydrant without pages. */
import { afterAll, beforeAll } from 'vitest'
import { type Hydrant, startHydrant } from '../start-hydrant.ts'
import { testCaptures } from './sdk-suites/captures.ts'
import { testClients } from './sdk-suites/clients.ts'
import { testRegression } from './sdk-suites/regression.ts'

let hydrant: Hydrant
beforeAll(async () => {
  hydrant = await startHydrant({ env: { HYDRANT_ROLES: 'ingest,jobs' } })
})
afterAll(() => hydrant?.stop())

const running = () => hydrant

// The first counts all that was ever received.
testClients(running)
testCaptures(running)
testRegression(running)
