/** Which paths of better-auth can be reached from outside. Most of its advisories were in routes that it mounted by itself. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { betterAuth } from 'better-auth'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import { expect, test } from 'vitest'
import { mountedPaths } from './auth.ts'
import { sessionStarter } from './session-starter.ts'

const src = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,tsx}', { cwd: src }).filter(path => !path.endsWith('.test.ts'))
const filesWith = (pattern: RegExp): string[] =>
  sources.filter(path => pattern.test(readFileSync(join(src, path), 'utf8'))).sort()

test('one file hands requests to better-auth, and one route calls it', () => {
  expect(filesWith(/toNextJsHandler|\.handler\(request/)).toEqual(['web/auth.ts'])
  expect(filesWith(/answerCallback\(request\)/)).toEqual(['app/api/auth/callback/[provider]/route.ts'])
  // Next answers only the methods that a route exports.
  const route = readFileSync(join(src, 'app/api/auth/callback/[provider]/route.ts'), 'utf8')
  expect([...route.matchAll(/export (?:async function|const) ([A-Z]+)/g)].map(([, method]) => method)).toEqual(['GET'])
})

test('every path of better-auth is known, and the route below /api/auth reaches one of them', () => {
  const auth = betterAuth({
    secret: 'a secret of this test alone, and long enough',
    baseURL: 'https://hydrant.example.com',
    telemetry: { enabled: false },
    plugins: [twoFactor(), genericOAuth({ config: [] }), sessionStarter()],
  })
  const paths = Object.values(auth.api).flatMap(({ path }) => (typeof path === 'string' ? [path] : []))
  // The routes of Next below /api/auth, in the spelling of better-auth.
  const reachable = sources.flatMap(path => {
    const [, below] = /^app\/api\/auth(\/.+)\/route\.ts$/.exec(path.replaceAll('\\', '/')) ?? []
    return below === undefined ? [] : [below.replace('[provider]', ':id')]
  })
  expect(reachable).toEqual([...mountedPaths])
  expect(paths.filter(path => reachable.includes(path))).toEqual([...mountedPaths])
  expect(paths.length).toBeGreaterThan(20)
  // Signing in without our limits, and starting a session for anyone, are not among them.
  expect(reachable).not.toContain('/sign-in/email')
  expect(paths).not.toContain(undefined)
})
