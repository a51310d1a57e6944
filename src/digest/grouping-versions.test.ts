import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupEvent, groupVersions } from '#grouping/group-event.ts'
import { testContext } from '../../test/make-record.ts'
import { listCaptures, listScenarios, readCapture } from '../../test/read-capture.ts'
import { readBrowserEvent } from '../../test/read-grouping.ts'
import { processRecord } from './process-record.ts'

const stored = (version: number) => new URL(`../../test/fixtures/grouping/v${version}-hashes.json`, import.meta.url)
const browserEvents = ['cart-chrome', 'cart-chrome-next-deploy', 'cart-firefox', 'cart-safari']

/** Of all recorded events that the version decides about. */
function hashesOf(wanted: number): Record<string, string> {
  const found: Record<string, string> = {}
  for (const capture of listScenarios().flatMap(listCaptures))
    for (const [index, each] of processRecord(readCapture(capture), testContext).groupedEvents.entries()) {
      const keys = [{ version: each.groupVersion, hash: each.groupHash }, ...each.groupFallbacks]
      const key = keys.find(({ version }) => version === wanted)
      if (key) found[`${capture} ${index}`] = `${key.version}:${key.hash}`
    }
  const versions = groupVersions.filter(({ version }) => version <= wanted)
  for (const name of browserEvents) {
    const { version, hash } = groupEvent(readBrowserEvent(name), versions)
    if (version === wanted) found[name] = `${version}:${hash}`
  }
  return found
}

// Issues live under these hashes. A change of grouping is a new version beside these, never another output of one.
test.each([1, 2, 3])('grouping version %i still gives recorded events the same hashes', version => {
  expect(hashesOf(version)).toEqual(JSON.parse(readFileSync(stored(version), 'utf8')))
})
