import { expect, test } from 'vitest'
import { measuredProjects, projectsOf, ruleConfig } from './rule.ts'

const projects = [
  { id: 1, isPrivate: false },
  { id: 2, isPrivate: true },
]

test('a private project is in a rule of its own, and in mail to those who see it, but never part of a number for all', () => {
  const all = { projectId: null, config: { followsSettings: false } }
  const mail = { projectId: null, config: { followsSettings: true } }
  const own = { projectId: 2, config: { followsSettings: false } }
  expect([all, mail, own].map(rule => projectsOf(rule, projects))).toEqual([[1], [1, 2], [2]])
  expect([all, mail, own].map(rule => measuredProjects(rule, projects))).toEqual([[1], [1], [2]])
})

test('windows of counts are whole minutes, because minutes are judged', () => {
  const { counts } = ruleConfig.parse({ counts: [{ of: 'events', above: 1, withinMs: 90_000 }] })
  expect(counts[0]?.withinMs).toBe(120_000)
})
