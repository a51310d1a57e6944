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
])('from %s', (_from, tree, isPeek) => {
  const headers = { 'next-url': '/acme/issues/7', 'next-router-state-tree': encodeURIComponent(JSON.stringify(tree)) }
  openIssuesAsPages(headers)
  expect('next-url' in headers).toBe(isPeek)
})

it.each(['%', '[', ''])('ignores a tree like %j', tree => {
  const headers = { 'next-url': '/acme/issues/7', 'next-router-state-tree': tree }
  openIssuesAsPages(headers)
  expect('next-url' in headers).toBe(true)
})
