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
  const paths = { '/monitoring': '/tunnel/', '/hydrant-hydration.js': '/hydrant-hydration.js' }
  for (const [source, path] of Object.entries(paths)) {
    const rewrite = rewrites.find(each => each.source === source)
    if (!rewrite) throw new Error(`No rewrite of ${source} in ${manifestPath}; build the shop again.`)
    rewrite.destination = new URL(path, hydrantUrl).href
  }
  writeFileSync(manifestPath, JSON.stringify(manifest))
}

// In this process rather than a child, so that a signal, even SIGKILL, leaves nothing behind.
process.argv.splice(2, 0, 'start')
createRequire(import.meta.url)('next/dist/bin/next')
