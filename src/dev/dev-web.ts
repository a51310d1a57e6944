/**
 * Web under `npm run dev`: `node src/dev/dev-web.ts <socket path>`. It loads Next when it starts, Hydrant's code at `load`, and
 * begins at `go`. Its imports before `load` can be older than the last edit.
 */
import inspector from 'node:inspector'
import { parseArgs } from 'node:util'
import { endWithParent } from './end-with-parent.ts'

endWithParent()

const { values: flags } = parseArgs({ options: { 'inspect-port': { type: 'string' } }, allowPositionals: true })
const isTold = (wanted: string) =>
  new Promise<void>(resolve =>
    process.on('message', (message: { type: string }) => message.type === wanted && resolve()),
  )
const [mayLoad, mayGo] = [isTold('load'), isTold('go')]

await import('next')
await import('next/dist/server/lib/router-server.js') // which Next loads when it begins
await mayLoad
const { runWeb } = await import('#web/run-web.ts')
const { devContentSecurityPolicy } = await import('./dev-policy.ts')
const { signInOwner } = await import('./sign-in-owner.ts')
process.send?.({ type: 'loaded' })
await mayGo
// Not by a flag of Node: its predecessor has the port until now.
if (flags['inspect-port']) inspector.open(Number(flags['inspect-port']), '127.0.0.1')
await runWeb({ isDevelopment: true, contentSecurityPolicy: devContentSecurityPolicy, beforePage: signInOwner })
