import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, about longest first, as `npm test` prints them. They begin first, so that none is left alone at the end. */
const longest = [
  'test/contract/model/model.test.ts',
  'test/contract/pages.contract.test.ts',
  'test/faults/digest.test.ts',
  'test/contract/no-data.contract.test.ts',
  'test/faults/fuzz.test.ts',
  'test/security/access-matrix.test.ts',
  'test/e2e/clickhouse.test.ts',
  'test/e2e/upgrade.test.ts',
  'test/e2e/shop.test.ts',
  'test/faults/outages.test.ts',
  'test/security/hostile-items.test.ts',
  'test/contract/issue-mirror.contract.test.ts',
  'test/faults/clock.test.ts',
  'test/e2e/sdks.test.ts',
  'test/e2e/replay.test.ts',
  'test/e2e/neighbors.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/web.test.ts',
  'test/e2e/feedback.test.ts',
  'test/e2e/every-page.test.ts',
  'test/e2e/long-texts.test.ts',
  'test/e2e/issue-page.test.ts',
  'test/e2e/snippets.test.ts',
]
/** Then the projects whose files wait for minutes; what takes seconds fills the gaps at the end. */
const projects = ['unit', 'storm', 'faults', 'security', 'e2e', 'contract']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const position = longest.findIndex(path => moduleId.endsWith(path))
  return position === -1 ? longest.length + projects.indexOf(project.name) : position
}
