import * as Sentry from '@sentry/nextjs'
import { nodeProfilingIntegration } from '@sentry/profiling-node'
import { readMonitoringSettings } from './monitoring/settings.ts'

const { dsn, environment, release, tracesSampleRate } = readMonitoringSettings()

Sentry.init({
  ...{ dsn, environment, release, tracesSampleRate },
  integrations: [nodeProfilingIntegration()],
  profileSessionSampleRate: 1,
  profileLifecycle: 'trace',
})
