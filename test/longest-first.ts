import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of a minute and more, longest first, as `npm test` prints them. They begin first, so that none is left alone at the end. */
const longest = [
  'test/e2e/every-page.test.ts',
  'test/e2e/snippets.test.ts',
  'test/e2e/issue-page.test.ts',
  'test/e2e/sign-in.test.ts',
  'test/e2e/reading-api.test.ts',
  'test/e2e/upload.test.ts',
  'test/e2e/traces.test.ts',
  'test/faults/outages.test.ts',
  'test/security/hostile-items.test.ts',
  'test/e2e/triage.test.ts',
  'test/e2e/upgrade.test.ts',
  'test/security/access-matrix.test.ts',
  'test/e2e/keys.test.ts',
  'test/e2e/sdks.test.ts',
  'test/e2e/shop.test.ts',
  'test/e2e/start.test.ts',
  'test/contract/model/model.test.ts',
  'test/contract/pages.contract.test.ts',
  'test/contract/no-data.contract.test.ts',
  'test/e2e/issues-list.test.ts',
  'test/contract/issue-mirror.contract.test.ts',
  'test/e2e/routes.test.ts',
  'test/e2e/clickhouse.test.ts',
  'test/faults/digest.test.ts',
  'test/faults/clock.test.ts',
  'test/faults/fuzz.test.ts',
  'test/e2e/search.test.ts',
  'test/e2e/findings.test.ts',
  'test/e2e/web.test.ts',
]
/** Then the projects whose files wait for minutes; what takes seconds fills the gaps at the end. */
const projects = ['unit', 'faults', 'security', 'e2e', 'contract']

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
