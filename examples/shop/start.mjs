// Starts the built shop. Next writes rewrites down at build time; this puts today's HYDRANT_URL into what it wrote,
// so that one build reports to any Hydrant. An app with a fixed address needs no such step: `next start` is enough.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const hydrantUrl = process.env.HYDRANT_URL
const manifestPath = join(import.meta.dirname, process.env.SHOP_BUILD_DIR ?? '.next', 'routes-manifest.json')

if (hydrantUrl) {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const rewrites = Object.values(manifest.rewrites).flat()
  const tunnel = rewrites.find(rewrite => rewrite.source === '/monitoring')
  if (!tunnel) throw new Error(`No rewrite of /monitoring in ${manifestPath}; build the shop again.`)
  tunnel.destination = new URL('/tunnel/', hydrantUrl).href
  writeFileSync(manifestPath, JSON.stringify(manifest))
}

// In this process rather than a child, so that a signal, even SIGKILL, leaves nothing behind.
process.argv.splice(2, 0, 'start')
createRequire(import.meta.url)('next/dist/bin/next')
