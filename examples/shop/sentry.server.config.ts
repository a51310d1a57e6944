import * as Sentry from '@sentry/nextjs'
import { readMonitoringSettings } from './monitoring/settings.ts'

const { dsn, environment, release, tracesSampleRate } = readMonitoringSettings()

Sentry.init({ dsn, environment, release, tracesSampleRate })
