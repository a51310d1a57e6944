#!/usr/bin/env node
/** `npm run pictures`: installs and builds what is missing, then runs test/pictures.ts. */
import { ensureChromium } from './ensure-chromium.mjs'
import { prepare } from './prepare.mjs'
import { runNode } from './run-node.mjs'

await prepare({ dev: true })
if (!ensureChromium(sentence => process.stdout.write(`${sentence}\n`))) process.exit(1)

const flags = ['--disable-warning=ExperimentalWarning', 'test/pictures.ts']
runNode([...flags, ...process.argv.slice(2)], { CI: 'true' })
