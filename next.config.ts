import type { NextConfig } from 'next'
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js'

const createConfig = (phase: string): NextConfig => ({
  poweredByHeader: false,
  // Two builds of the same sources are the same build: a release can be compared, and an open tab needs no reload.
  generateBuildId: async () => {
    const { digestPageSources } = await import('./bin/page-sources.mjs')
    return digestPageSources(import.meta.dirname).slice(0, 20)
  },
  // Only for `npm run dev`: Next allows localhost by itself.
  allowedDevOrigins: ['127.0.0.1', '[::1]'],
  productionBrowserSourceMaps: false,
  // No page uses the image optimizer, and it would fetch any local path for anybody, under every spelling of its address.
  images: { unoptimized: true },
  // Types are checked by `npm test`; a build on a user's machine need not do it again.
  // Next rewrites a tsconfig that lacks what it wants, so it has one of its own.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  // Native or large server packages stay outside the bundle, so that Next's copies of a module share one of each.
  serverExternalPackages: [
    'better-sqlite3',
    'pg',
    '@clickhouse/client',
    'kysely',
    'better-auth',
    'pino',
    'shiki',
    'nodemailer',
  ],
  // The stores open files whose paths come from the configuration. Tracing is for deployments that copy; this one runs in place.
  turbopack: { ignoreIssue: [{ path: /src\/store\//, title: /tracing of the whole project/ }] },
  experimental: {
    // unauthorized() and forbidden() answer with true 401 and 403.
    authInterrupts: true,
    // Pages load when first asked for: a start is quicker and an idle process smaller.
    preloadEntriesOnStart: false,
    // `ensureBuilt` decides.
    turbopackFileSystemCacheForBuild: process.env.HYDRANT_BUILD_CACHE !== 'off',
    // For breakpoints, and for stacks in the terminal.
    serverSourceMaps: phase === PHASE_DEVELOPMENT_SERVER,
  },
})

export default createConfig
