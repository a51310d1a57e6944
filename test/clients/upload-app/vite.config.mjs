/** Version 5 comes with SDK 10. */
const { sentryVitePlugin } =
  process.env.UPLOAD_PLUGIN === '5' ? await import('sentry-vite-plugin-5') : await import('@sentry/vite-plugin')

/** Everything else comes from the environment, as in a build on somebody's machine. */
export default {
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    outDir: process.env.UPLOAD_APP_OUT,
    emptyOutDir: true,
    sourcemap: true,
    lib: { entry: 'main.js', formats: ['es'] },
  },
  plugins: [sentryVitePlugin({ telemetry: false })],
}
