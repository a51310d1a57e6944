import { join } from 'node:path'
import type { NextConfig } from 'next'

/** An app of its own, so that no build of the product contains it. */
const config: NextConfig = {
  devIndicators: false,
  reactStrictMode: true,
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: join(import.meta.dirname, '../..') },
}

export default config
