import * as Sentry from '@sentry/nextjs'
import { readBrowserSettings } from './monitoring/browser-settings.ts'

const { replaySampleRate, ...settings } = readBrowserSettings()

Sentry.init({
  ...settings,
  tunnel: '/monitoring',
  integrations: [Sentry.replayIntegration(), Sentry.browserProfilingIntegration()],
  replaysSessionSampleRate: replaySampleRate ?? 0,
  replaysOnErrorSampleRate: 0,
  profileSessionSampleRate: 1,
  profileLifecycle: 'trace',
  ignoreErrors: ['The visitor changed their mind'],
})

Sentry.setUser({ id: 'visitor-1' })

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart
