/** Tags: their shares in an issue, what is usual in a project, and what a search suggests. */
import { issueTagResponse } from '#api/issues/issue-tag-response.ts'
import { listEnvironments } from '#domain/events/list-environments.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import { previewFilter } from '#domain/filters/preview-filter.ts'
import { countTags } from '#domain/issues/count-tags.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { listSearchValues, listTagKeys, listTagNames } from '#domain/issues/list-search-values.ts'
import { listTagShares } from '#domain/issues/list-tag-shares.ts'
import { findUsualShares } from '#domain/issues/usual-shares.ts'
import { dayMs, type ModelEvent } from './generate.ts'
import { countBy, type Model } from './report.ts'

const tags: Record<string, (event: ModelEvent) => string> = {
  release: ({ release }) => release,
  environment: ({ environment }) => environment,
  route: ({ route }) => route,
  level: ({ level }) => level,
  plan: ({ plan }) => plan,
}
const named = (events: readonly ModelEvent[], key: string): [string, number][] =>
  countBy(events, tags[key] ?? (() => '')).filter(([value]) => value !== '')
const total = (counts: readonly [string, number][]): number => counts.reduce((sum, [, count]) => sum + count, 0)

export async function compareTags(model: Model): Promise<void> {
  const { viewer, now, ownOf, events, isWhole, report } = model
  const { same, near } = report
  for (const [id, own] of [...ownOf].filter(([, all]) => all.length > 5).slice(0, isWhole ? 3 : 1)) {
    const issue = await findIssue(viewer, id)
    if (!issue) continue
    const { occurrences, isComplete } = await readNewestEvents(viewer, issue, {})
    same(`newest events of issue ${id}`, [occurrences.length, isComplete], [own.length, true])
    // The tick of a tag is the usual share of a day; releases of older events have none.
    await findUsualShares(viewer, issue.projectId)
    const shares = await listTagShares(viewer, issue, {})
    const counted = new Map((await countTags(viewer, issue)).map(each => [each.key, each.total]))
    const hasTick = (key: string) =>
      shares.some(share => share.key === key && share.values.some(({ usual }) => usual !== null))
    same(`tick of plan in issue ${id}`, hasTick('plan'), true)
    const isOfToday = own.every(({ at }) => at >= now - dayMs) && named(own, 'release').length > 0
    same(`tick of release in issue ${id}`, hasTick('release'), isOfToday)
    for (const key of Object.keys(tags)) {
      const truth = named(own, key)
      same(`API: events of issue ${id} with ${key}`, counted.get(key) ?? 0, total(truth))
      const shown = shares.find(share => share.key === key)
      for (const [index, [value, count]] of truth.slice(0, 5).entries()) {
        const found = shown?.values.find(each => each.value === value)
        near(`share of ${key} ${value || index} in issue ${id}`, found?.share ?? 0, count / total(truth), 1e-6)
      }
      if (truth.length === 0) continue
      const response = await issueTagResponse({ viewer, issue }, key === 'route' ? 'transaction' : key)
      const answer: unknown = await response.json()
      same(`API: values of ${key} in issue ${id}`, answerOf(answer), {
        unique: truth.length,
        total: total(truth),
        top: truth,
      })
    }
  }
  const [most = 0, many = []] = [...ownOf].toSorted((a, b) => b[1].length - a[1].length)[0] ?? []
  const largest = await findIssue(viewer, most)
  if (largest) {
    // More values than are listed.
    const {
      unique,
      total: all,
      top,
    } = answerOf(await (await issueTagResponse({ viewer, issue: largest }, 'id')).json())
    same(
      'API: a tag with many values',
      [unique, all, top.length],
      [many.length, many.length, Math.min(100, many.length)],
    )
    report.near('values of a tag with many', Math.min(101, many.length), 101, 0)
  }
  // Kept by the process for ten minutes.
  Reflect.deleteProperty(globalThis, Symbol.for('hydrant.usual-shares'))
  for (const { id: projectId } of viewer.projects) {
    const today = events.filter(event => event.projectId === projectId && event.at >= now - dayMs)
    const usual = await findUsualShares(viewer, projectId)
    for (const key of Object.keys(tags)) {
      const truth = named(today, key)
      same(`events with ${key} in project ${projectId}`, usual?.get(key)?.size ?? 0, total(truth))
      for (const [value, count] of truth)
        near(`usual share of ${key} ${value}`, usual?.get(key)?.values.get(value) ?? 0, count / total(truth), 1e-6)
    }
    const preview = await previewFilter(viewer, { projectId, rule: 'none', days: 1 })
    same(
      `events that a filter is tried on in project ${projectId}`,
      [preview.checked, preview.caught],
      [today.length, 0],
    )
  }
  const week = events.filter(({ at }) => at >= now - 7 * dayMs)
  same(
    'environments',
    await listEnvironments(viewer),
    countBy(week, ({ environment }) => environment).map(([name]) => name),
  )
  const suggested = await listSearchValues(viewer, { of: 'issues', key: 'plan', prefix: '' })
  same(
    'suggested values',
    suggested.map(({ value, count }) => [value, count]),
    named(week, 'plan'),
  )
  const lately = events.filter(({ at }) => at >= now - dayMs).length
  same(
    'suggested tags',
    (await listTagKeys(viewer, 'issues', 'pl')).map(({ count }) => count),
    [lately],
  )
  const names = await listTagNames(viewer, 'issues', { rangeMs: dayMs })
  same('names of tags', names.find(({ value }) => value === 'plan')?.count, lately)
}

function answerOf(answer: unknown) {
  const { uniqueValues, totalValues, topValues } = answer as {
    uniqueValues: number
    totalValues: number
    topValues: { value: string; count: number }[]
  }
  const top = topValues.map(({ value, count }): [string, number] => [value, count])
  return { unique: uniqueValues, total: totalValues, top: top.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)) }
}
