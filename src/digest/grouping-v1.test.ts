import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupEvent } from '#group/group-event.ts'
import { groupVersions } from '#group/group-versions.ts'
import { testContext } from '../../test/make-record.ts'
import { listCaptures, listScenarios, readCapture } from '../../test/read-capture.ts'
import { readBrowserEvent } from '../../test/read-grouping.ts'
import { understandRecord } from './understand-record.ts'

const stored = new URL('../../test/fixtures/grouping/v1-hashes.json', import.meta.url)
const browserEvents = ['cart-chrome', 'cart-chrome-next-deploy', 'cart-firefox', 'cart-safari']

function hashes(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const capture of listScenarios().flatMap(listCaptures))
    for (const [index, row] of (understandRecord(readCapture(capture), testContext).rows.events ?? []).entries())
      found[`${capture} ${index}`] = `${row.group_version}:${row.group_hash}`
  for (const name of browserEvents) {
    const v1 = groupVersions.filter(({ version }) => version === 1)
    const { version, hash } = groupEvent(readBrowserEvent(name), v1)
    found[name] = `${version}:${hash}`
  }
  return found
}

// Issues live under these hashes. A change of grouping is a new version beside this one, never another output of it.
test('grouping version 1 gives recorded events the hashes that it always gave them', () => {
  expect(hashes()).toEqual(JSON.parse(readFileSync(stored, 'utf8')))
})
