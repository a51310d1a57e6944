/** Main under `npm run dev`: it adopts web, the engine and the public port from the dev program. */
import { join } from 'node:path'
import { loadConfig, readVariable } from '#config.ts'
import { dataPaths } from '#supervisor/data-folder.ts'
import { runMain } from '#supervisor/run-main.ts'
import { adoptChildren, onToMain, send } from './adopted-children.ts'
import { maySignIn } from './may-sign-in.ts'
import { receiveConnections } from './receive-connections.ts'
import { signInHeader } from './sign-in-header.ts'

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

const config = loadConfig()
const installation = {
  ...config,
  nodeEnv: readVariable('NODE_ENV'),
  root: join(import.meta.dirname, '../..'),
}
const isSigningIn = !process.argv.includes('--signed-out')
const { whenWebUp, ...children } = adoptChildren()

await import('#supervisor/serve.ts') // which main loads while its children start
await new Promise<void>(resolve => {
  onToMain(message => message.type === 'go' && resolve())
  send({ type: 'loaded' })
})

await runMain({
  ...children,
  claimFolder: async () => ({ ok: true, release: async () => send({ type: 'stopped' }) }), // the dev program has claimed it
  openPort: receiveConnections({
    webSocketPath: dataPaths(config.dataDir).webSocket,
    whenWebUp,
    mark: ({ headers, socket }) => {
      delete headers[signInHeader]
      if (isSigningIn && maySignIn(installation, { peer: socket.remoteAddress, headers })) headers[signInHeader] = '1'
    },
  }),
})
