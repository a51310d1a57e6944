/** The spelling of every route that the spans of recorded apps name. */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { listFrameworkApps, readFrameworkCaptures } from './read-framework-captures.ts'

const folder = '[a-z0-9-]+'
const segment = `(?:${folder}|\\[[a-z]+\\]|\\[\\[[a-z]+\\]\\]|\\[\\.\\.\\.[a-z]*\\]|\\[\\[\\.\\.\\.[a-z]+\\]\\]|_error)`
const route = new RegExp(`^(?:|/|(?:/${segment})+)$`)

test.each(listFrameworkApps())('%s has no route in the syntax of its framework', app => {
  const found = new Set<string>()
  for (const [scenario, records] of readFrameworkCaptures(app))
    for (const record of records) {
      const context = { recordId: scenario, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      // Interactions are single spans in SDK 10, which name no SDK.
      for (const row of processRecord(record, context).rows.spans ?? []) if (row.sdk_name !== '') found.add(row.route)
    }
  expect([...found].filter(each => !route.test(each))).toEqual([])
})
