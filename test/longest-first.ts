import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that take minutes start first; short ones fill the gaps at the end. */
const order = ['unit', 'faults', 'e2e', 'contract']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name))
  }
}
