import { sentryWebpackPlugin } from '@sentry/webpack-plugin'
import webpack from 'webpack'

/** Two compilers, as in Next: each runs the whole upload, so every call comes twice. */
const compilers = ['browser', 'worker'].map(name => ({
  name,
  mode: 'production',
  context: import.meta.dirname,
  entry: './main.js',
  devtool: 'source-map',
  output: { path: process.env.UPLOAD_APP_OUT, filename: `${name}.js` },
  plugins: [sentryWebpackPlugin({ telemetry: false })],
}))

webpack(compilers, (error, stats) => {
  process.stdout.write(`${error ?? stats?.toString()}\n`)
  if (error || stats?.hasErrors()) process.exitCode = 1
})
