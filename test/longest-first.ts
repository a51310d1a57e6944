import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * One suite after the other: Vitest ends a process whose next file is of another suite, and with it the modules, the engine, the
 * browser and the Hydrant that its files share. Those that wait the most come first; what takes seconds fills the gaps at the end.
 */
const projects = ['unit', 'storm', 'faults', 'security', 'e2e', 'contract']
/** Of each suite, the files that take longest, as `npm test` prints them. They begin first, so that none is left alone at the end. */
const longest = [
  'test/faults/digest.test.ts',
  'test/faults/fuzz.test.ts',
  'test/faults/outages.test.ts',
  'test/faults/kill.test.ts',
  'test/security/access-matrix.test.ts',
  'test/security/hostile-items.test.ts',
  'test/e2e/upgrade.test.ts',
  'test/e2e/clickhouse.test.ts',
  'test/e2e/shop.test.ts',
  'test/e2e/sdks.test.ts',
  'test/e2e/sign-in.test.ts',
  'test/e2e/alerts.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/neighbors.test.ts',
  'test/e2e/web.test.ts',
  'test/contract/model/model.test.ts',
  'test/contract/no-data.contract.test.ts',
  'test/contract/pages.contract.test.ts',
  'test/contract/issue-mirror.contract.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => suiteOf(a) - suiteOf(b) || placeOf(a) - placeOf(b))
  }
}

const suiteOf = ({ project }: TestSpecification): number => projects.indexOf(project.name)

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex(path => moduleId.endsWith(path))
  return place === -1 ? longest.length : place
}
