import { computeCacheBustingSearchParam } from 'next/dist/shared/lib/router/utils/cache-busting-search-param.js'
import { expect, it } from 'vitest'
import { openIssuesAsPages } from './peek-header.ts'

const issue = [['issueId', '7', 'd'], { children: ['__PAGE__', {}] }]
const peek = ['(.)', { children: [['issueId', '7', 'di(.)'], { children: ['__PAGE__', {}] }] }]
const inIssues = (slots: object) => [
  '',
  { children: ['(app)', { children: [['org', 'acme', 'd'], { children: ['issues', slots] }] }] },
]

it.each([
  ['the list', inIssues({ children: ['__PAGE__', {}], peek: ['default', {}] }), true],
  ['the list with a peek', inIssues({ children: ['__PAGE__', {}], peek }), true],
  ['an issue', inIssues({ children: issue, peek: ['default', {}] }), false],
  ['something else', { children: null }, true],
])('from %s', async (_from, tree, isPeek) => {
  const headers = { 'next-url': '/acme/issues/7', 'next-router-state-tree': encodeURIComponent(JSON.stringify(tree)) }
  const url = `/acme/issues/8?q=a%20b&${await hashOf(headers)}`
  const request = { url, headers }
  await openIssuesAsPages(request)
  expect('next-url' in headers).toBe(isPeek)
  // Otherwise Next redirects, and its router sends the request again and again.
  expect(request.url).toBe(`/acme/issues/8?q=a%20b&${await hashOf(headers)}`)
})

/** As the router does it, and as Next checks it. */
async function hashOf(headers: Record<string, string>): Promise<string> {
  const tree = headers['next-router-state-tree']
  return `_rsc=${await computeCacheBustingSearchParam(undefined, undefined, tree, headers['next-url'])}`
}

it.each(['/acme/issues/8', '/acme/issues/8?q=a', '/?'])('keeps an address without a hash: %s', async url => {
  const tree = encodeURIComponent(JSON.stringify(inIssues({ children: issue })))
  const request = { url, headers: { 'next-url': '/acme/issues/7', 'next-router-state-tree': tree } }
  await openIssuesAsPages(request)
  expect(request.url).toBe(url)
})

it.each(['%', '[', ''])('ignores a tree like %j', async tree => {
  const request = { url: '/acme/issues/8', headers: { 'next-url': '/acme/issues/7', 'next-router-state-tree': tree } }
  await openIssuesAsPages(request)
  expect('next-url' in request.headers).toBe(true)
})
