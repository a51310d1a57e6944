import type { Connection } from './snippet.ts'

/** The plugin that uploads source maps, as one of `plugins` of a Vite config. */
export const viteUpload = ({ publicUrl, organization, project }: Connection): string =>
  `    // Keep it last. It uploads source maps if SENTRY_AUTH_TOKEN is set.
    sentryVitePlugin({
      url: '${publicUrl}',
      org: '${organization}',
      project: '${project}',
      authToken: process.env.SENTRY_AUTH_TOKEN,
    }),`
