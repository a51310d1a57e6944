import { startSeededHydrant } from './lib/seeded-hydrant.ts'
const h = await startSeededHydrant({ events: 1e6, spans: 1e7 }, '/tmp/keep')
await h.end()
