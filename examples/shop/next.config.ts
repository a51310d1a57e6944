import { withSentryConfig } from '@sentry/nextjs/config'
import type { NextConfig } from 'next'

const hydrantUrl = process.env.HYDRANT_URL ?? 'http://localhost:8000'

/** With a token the build uploads its source maps. The token names the server and the organisation; SENTRY_PROJECT the project. */
const hasToken = Boolean(process.env.SENTRY_AUTH_TOKEN)

const nextConfig: NextConfig = {
  // A second build beside the first, for whoever wants one with uploaded maps and one without.
  distDir: process.env.SHOP_BUILD_DIR ?? '.next',

  // The shop lives inside another repository; without this Next takes that one's folder for its own.
  turbopack: { root: import.meta.dirname },

  // The tests build the shop once, and to write the cache takes a quarter of a build.
  experimental: { turbopackFileSystemCacheForBuild: false },

  // Node's profiler is a native library, which cannot be bundled.
  serverExternalPackages: ['@sentry/profiling-node', '@sentry/node-cpu-profiler'],

  // The browser reports to its own origin, so ad blockers and CORS stay out of the way.
  // The SDK's tunnelRoute does this for sentry.io addresses only, hence a rewrite.
  rewrites: async () => [
    { source: '/monitoring', destination: `${hydrantUrl}/tunnel/` },
    // Hydrant's browser helper, which shows what a hydration error is about. See app/layout.tsx.
    { source: '/hydrant-hydration.js', destination: `${hydrantUrl}/hydrant-hydration.js` },
  ],

  // Chromium's profiler is off unless the document asks for it.
  headers: async () => [{ source: '/:path*', headers: [{ key: 'Document-Policy', value: 'js-profiling' }] }],
}

export default withSentryConfig(nextConfig, {
  telemetry: false,
  silent: !hasToken,
  sourcemaps: { disable: !hasToken },
})
