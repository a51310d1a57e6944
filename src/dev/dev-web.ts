/**
 * Web under `npm run dev`: `node src/dev/dev-web.ts <socket path>`. It loads Next and other packages when it starts, Hydrant's code at
 * `load`, and begins at `go`. Its imports before `load` can be older than the last edit.
 */
import inspector from 'node:inspector'
import { parseArgs } from 'node:util'
import { endWithParent } from './end-with-parent.ts'
import { preloadPackages } from './preload-packages.ts'
import { whenTold } from './when-told.ts'

endWithParent()

const { values: flags } = parseArgs({ options: { 'inspect-port': { type: 'string' } }, allowPositionals: true })
const [mayLoad, mayGo] = [whenTold('load'), whenTold('go')]
const next = 'next/dist/server'
/** Next loads them when it begins. */
const loadedByNext = [
  'next',
  `${next}/lib/router-server.js`,
  `${next}/lib/router-utils/setup-dev-bundler.js`,
  `${next}/dev/hot-reloader-turbopack.js`,
  `${next}/mcp/get-mcp-middleware.js`,
  `${next}/lib/render-server.js`,
  `${next}/dev/next-dev-server.js`,
]

await preloadPackages('src/dev/dev-web.ts', loadedByNext)
await mayLoad
const { runWeb } = await import('#web/run-web.ts')
const { devContentSecurityPolicy } = await import('./dev-policy.ts')
const { signInOwner } = await import('./sign-in-owner.ts')
process.send?.({ type: 'loaded' })
await mayGo
// Not by a flag of Node: its predecessor has the port until now.
if (flags['inspect-port']) inspector.open(Number(flags['inspect-port']), '127.0.0.1')
await runWeb({ isDevelopment: true, contentSecurityPolicy: devContentSecurityPolicy, beforePage: signInOwner })
