import { describe, expect, test } from 'vitest'
import { createPathMatcher } from './match-path.ts'
import { routeApiRequest } from './router.ts'
import { routes } from './routes.ts'

async function send(method: string, path: string) {
  const response = await routeApiRequest(new Request(`http://hydrant.example${path}`, { method }))
  return { status: response.status, allow: response.headers.get('allow'), body: await response.text() }
}
const org = '/api/0/organizations/acme'

describe('a method', () => {
  test('that the path has needs a token', async () => {
    const refused = { status: 401, allow: null, body: '{"detail":"Invalid token"}' }
    expect(await send('GET', '/api/0')).toEqual(refused)
    expect(await send('HEAD', `${org}/teams`)).toMatchObject({ status: 401 })
    expect(await send('POST', `${org}/chunk-upload`)).toEqual(refused)
    expect(await send('DELETE', `${org}/releases/1`)).toEqual(refused)
  })

  test.each([
    ['POST', '/api/0', 'GET, HEAD, OPTIONS'],
    ['PATCH', `${org}/releases/a%2Fb`, 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['DELETE', `${org}/releases`, 'GET, HEAD, OPTIONS, POST'],
    ['GET', `${org}/artifactbundle/assemble`, 'OPTIONS, POST'],
    ['HEAD', `${org}/artifactbundle/assemble`, 'OPTIONS, POST'],
    ['__proto__', `${org}/teams`, 'GET, HEAD, OPTIONS'],
    ['constructor', `${org}/teams`, 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and names the others', async (method, path, allow) => {
    expect(await send(method, path)).toEqual({ status: 405, allow, body: '' })
    expect(await send('OPTIONS', path)).toEqual({ status: 204, allow, body: '' })
  })
})

describe('an unknown path', () => {
  test('needs a token too, and offers every method', async () => {
    for (const path of ['/api/0/nothing', `${org}/__proto__`, '/api/0/org%61nizations', `${org}/teams/1`]) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect((await send(method, path)).status, `${method} ${path}`).toBe(401)
      expect((await send('OPTIONS', path)).allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT')
    }
  })

  test('with invalid percent-encoding is 400', async () => {
    for (const path of ['/api/0/%', `${org}/releases/%E0%A4%A/commits`])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect(await send(method, path)).toMatchObject({ status: 400, body: expect.stringContaining('detail') })
  })
})

describe('the table', () => {
  const patterns = [...new Set(routes.map(({ pattern }) => pattern))]

  test('has each method of a path once', () => {
    const rows = routes.map(({ method, pattern }) => `${method} ${pattern}`)
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([])
  })

  // So the order of the rows never matters, and nobody has to know which of two patterns wins.
  test('has no path that two patterns match', () => {
    const pairs = patterns.flatMap((one, index) => patterns.slice(index + 1).map(other => [one, other] as const))
    expect(pairs.filter(([one, other]) => doOverlap(one, other))).toEqual([])
    expect(doOverlap('/a/[b]/c', '/a/b/[c]')).toBe(true)
    expect(doOverlap('/a/[b]', '/a/b')).toBe(true)
    expect(doOverlap('/a/[b]/c', '/a/[b]/d')).toBe(false)
    expect(doOverlap('/a/[b]', '/a/[b]/c')).toBe(false)
  })

  test('is found by the paths of its patterns', () => {
    const match = createPathMatcher(patterns.map(pattern => [pattern, pattern] as const))
    for (const pattern of patterns) {
      const found = match(pattern.replaceAll(/\[(\w+)\]/g, 'the-$1'))
      expect(found).toMatchObject({ value: pattern })
    }
  })
})

/** Whether some path matches both: in every segment they are equal, or one is a parameter. */
function doOverlap(one: string, other: string): boolean {
  const [left, right] = [one.split('/'), other.split('/')]
  const isParam = (segment: string | undefined) => segment?.startsWith('[') === true
  return (
    left.length === right.length &&
    left.every((segment, index) => segment === right[index] || isParam(segment) || isParam(right[index]))
  )
}
