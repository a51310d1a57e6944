import type { Page } from 'playwright-core'
import type { Hydrant } from '../../start-hydrant.ts'

/** What the suites about the issue page share: a signed-in page of a Hydrant with the issues WEB-1 and WEB-2. */
export type IssueScene = {
  hydrant: Hydrant
  page: Page
  /** Errors that any page threw so far. */
  faults: string[]
  at(path: string): string
}
