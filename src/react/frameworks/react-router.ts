import type { Framework } from './framework.ts'
import { isNoMatch, isRedacted, isThrownOnPurpose } from './router-responses.ts'
import { stars } from './stars.ts'

export const reactRouter: Framework = {
  id: 'react-router',
  name: 'React Router',
  sdks: ['sentry.javascript.react-router'],
  routeSegments: stars,
  controlFlow: [isNoMatch, isThrownOnPurpose],
  redacted: [isRedacted],
  serverWork: 'a loader, an action or a render',
}
