#!/usr/bin/env node
/** `npm run gallery`: installs what is missing, then shows every component on http://127.0.0.1:8100. */
import { prepare } from './prepare.mjs'
import { runNode } from './run-node.mjs'

await prepare({ build: false, dev: true, engine: false })

const address = ['--hostname', '127.0.0.1', '--port', process.env.PORT ?? '8100']
runNode(['node_modules/next/dist/bin/next', 'dev', 'test/gallery', ...address], { NEXT_TELEMETRY_DISABLED: '1' })
