/** Main under `npm run dev`: it adopts web, the engine and the public port from the dev program. */
import inspector from 'node:inspector'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig, readVariable } from '#config.ts'
import { settleWithin } from '#lib/timing.ts'
import { dataPaths } from '#supervisor/data-folder.ts'
import { runMain } from '#supervisor/run-main.ts'
import '#supervisor/serve.ts' // which main loads while its children start
import { adoptChildren, send } from './adopted-children.ts'
import { maySignIn } from './may-sign-in.ts'
import { receiveConnections } from './receive-connections.ts'
import { signInHeader } from './sign-in-header.ts'

const lastPagesMs = 60_000
const config = loadConfig()
const installation = {
  ...config,
  nodeEnv: readVariable('NODE_ENV'),
  root: join(import.meta.dirname, '../..'),
}
const { values: flags } = parseArgs({
  options: { 'inspect-port': { type: 'string' }, 'signed-out': { type: 'boolean' } },
})
const { whenWebSettled, ...children } = adoptChildren()

const port = receiveConnections({
  webSocketPath: dataPaths(config.dataDir).webSocket,
  publicAddress: config,
  whenWebSettled,
  mark: ({ headers, socket }) => {
    delete headers[signInHeader]
    if (!flags['signed-out'] && maySignIn(installation, { peer: socket.remoteAddress, headers }))
      headers[signInHeader] = '1'
  },
})

export async function runDevMain(): Promise<void> {
  // Not by a flag of Node: its predecessor has the port until now.
  if (flags['inspect-port']) inspector.open(Number(flags['inspect-port']), '127.0.0.1')
  await runMain({
    ...children,
    claimFolder: async () => ({ ok: true, release }), // the dev program has claimed it
    openPort: port.openPort,
    drainMs: 0, // the next one continues
  })
}

/** The next main begins, while this one passes on the last pages, and requests on connections that clients keep open. */
async function release(): Promise<void> {
  inspector.close()
  send({ type: 'stopped' })
  await settleWithin(Promise.all([port.whenAnswered(), port.whenLeft()]), lastPagesMs)
}
