import { expect, test } from 'vitest'
import { serverErrorAdviceOf } from './find-frameworks.ts'

test.each([
  ['nextjs', 'export onRequestError from instrumentation.ts'],
  ['react-router', 'export handleError from app/entry.server.tsx'],
  ['remix', 'export handleError from app/entry.server.tsx'],
  [
    'tanstackstart-react',
    'add the SDK’s middleware in src/start.ts; errors of a render on the server are not sent by it',
  ],
  ['react', 'report what onError of the render gets'],
])('the advice for errors of the server is that of the framework: %s', (sdk, advice) => {
  expect(serverErrorAdviceOf(`sentry.javascript.${sdk}`)).toBe(advice)
})
