#!/usr/bin/env node
/**
 * `npm run setup`: installs what the tests need (dependencies with PostgreSQL, the database engine, Chromium, the example shop), and
 * nothing else.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureChromium } from './ensure-chromium.mjs'
import { prepare } from './prepare.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const say = sentence => process.stdout.write(`${sentence}\n`)

await prepare({ build: false, compile: true, dev: true })
const hasChromium = ensureChromium(say)
const node = join(root, 'node_modules', '.bin', 'node')
const shop = spawnSync(node, [join(root, 'test/clients/build-shop.ts')], { cwd: root, stdio: 'inherit' })
const isReady = hasChromium && shop.status === 0
say(isReady ? 'Everything that the tests need is installed.' : 'Something is missing; see above.')
process.exit(isReady ? 0 : 1)
