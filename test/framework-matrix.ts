/** The capabilities by framework, each with the test that proves it. docs/frameworks.md shows this table. */

export const frameworks = [
  'Next.js App Router',
  'Next.js Pages Router',
  'React Router',
  'TanStack Start',
  'Remix',
  'Astro',
  'Express',
] as const
type FrameworkName = (typeof frameworks)[number]

/** A file, and the beginning of the title of the test as the file has it. */
export type Proof = { file: string; test: string }
type Cell = { proof: Proof } | 'not sent' | 'not yet' | '–'
type Row = { capability: string; cells: Record<FrameworkName, Cell> }

const errors: Cell = {
  proof: {
    file: 'test/framework-errors.test.ts',
    test: 'errors of %s are issues, unless the framework threw on purpose',
  },
}
const libraries: Cell = {
  proof: { file: 'test/framework-errors.test.ts', test: 'an error of TanStack Start that comes through the document' },
}
const joined: Cell = {
  proof: {
    file: 'test/contract/server-errors.contract.test.ts',
    test: 'a failure that both sides of an app report is one issue',
  },
}
const thrown: Cell = {
  proof: {
    file: 'test/framework-errors.test.ts',
    test: 'a response that says that the server failed is an issue by status and route',
  },
}
const spelled: Cell = {
  proof: { file: 'test/framework-routes.test.ts', test: '%s has no route in the syntax of its framework' },
}
const documents: Cell = {
  proof: { file: 'test/framework-routes.test.ts', test: '%s: requests for documents differ from those of scripts' },
}
const prefetches: Cell = {
  proof: { file: 'test/framework-routes.test.ts', test: '%s: a prefetch is not a visit' },
}
const left: Cell = {
  proof: { file: 'test/framework-routes.test.ts', test: '%s: a page that was left early has not failed' },
}
const built = (title: string): Cell => ({ proof: { file: 'test/e2e/frameworks.test.ts', test: title } })
const nextBuilt: Cell = {
  proof: { file: 'test/e2e/snippets.test.ts', test: 'an app made of the Next.js snippets' },
}
const skew: Cell = {
  proof: {
    file: 'test/framework-errors.test.ts',
    test: '%s: an open tab of an old deploy is one issue of its release',
  },
}
const serverSkew: Cell = {
  proof: { file: 'test/framework-errors.test.ts', test: 'a file of an older build that a server is asked for' },
}
const pagesSkew: Cell = { proof: { file: 'src/react/deploy-skew.test.ts', test: 'deploy skew: %s: %s' } }
const snippet: Cell = {
  proof: { file: 'src/ui/snippets/list-snippets.test.ts', test: 'every file of $label is code without a syntax error' },
}
const page = (test: string): Cell => ({ proof: { file: 'test/framework-pages.test.ts', test } })
const rows = page('has a row for each of its routes')
const anyOrder = page('counts the same with each visit backwards')
const navigations: Cell = {
  proof: { file: 'test/framework-navigations.test.ts', test: 'each recorded navigation is counted as what it was' },
}
const functions: Cell = {
  proof: { file: 'test/contract/routes.test.ts', test: 'server functions and actions of other frameworks' },
}
const notFound: Cell = {
  proof: { file: 'test/contract/routes.test.ts', test: 'paths without a route, and paths that do not exist' },
}
const nextApp = {
  rows: { proof: { file: 'test/contract/routes.test.ts', test: 'the same routes with the same numbers' } },
  navigations: {
    proof: { file: 'test/framework-navigations.test.ts', test: 'a route never contradicts the traces' },
  },
  functions: {
    proof: { file: 'test/contract/routes.test.ts', test: 'a server action is listed by the name it was wrapped with' },
  },
  errors: {
    proof: { file: 'src/react/noise/noise-rules.test.ts', test: 'a redirect thrown through an error boundary' },
  },
  joined: {
    proof: {
      file: 'test/contract/server-errors.contract.test.ts',
      test: 'a browser’s error of the same batch is in the issue of',
    },
  },
  prefetches: {
    proof: {
      file: 'src/react/route-fetches.test.ts',
      test: 'the tree of a page and the page itself count as one prefetch',
    },
  },
  documents: {
    proof: { file: 'test/framework-routes.test.ts', test: 'Next.js App Router: requests for documents differ' },
  },
  skew: { proof: { file: 'src/react/deploy-skew.test.ts', test: 'recorded chunk load errors of Turbopack' } },
  left: { proof: { file: 'src/digest/items.test.ts', test: 'that were canceled have not failed' } },
} satisfies Record<string, Cell>

const row = (capability: string, ...cells: Cell[]): Row => {
  if (cells.length !== frameworks.length) throw new Error(`${capability} has ${cells.length} cells`)
  return { capability, cells: Object.fromEntries(frameworks.map((name, at) => [name, cells[at]])) as Row['cells'] }
}

export const matrix: readonly Row[] = [
  row(
    'Errors are issues; redirects and “not found” are filtered',
    nextApp.errors,
    errors,
    errors,
    errors,
    errors,
    errors,
    errors,
  ),
  row(
    'The browser’s redacted error and the server’s are one issue',
    nextApp.joined,
    '–',
    joined,
    joined,
    joined,
    '–',
    joined,
  ),
  row('A thrown 5xx response is an issue by status and route', '–', '–', thrown, 'not sent', 'not sent', '–', '–'),
  row('Bundled libraries do not decide which issue', '–', '–', '–', libraries, '–', '–', '–'),
  row('Routes in one spelling, /items/[id]', '–', spelled, spelled, spelled, spelled, spelled, spelled),
  row('One row for each route, with browser and server', nextApp.rows, rows, rows, rows, rows, rows, rows),
  row('The same rows in any order of arrival', '–', anyOrder, anyOrder, anyOrder, anyOrder, anyOrder, anyOrder),
  row(
    'Paths without a route share one row, and missing ones have a list',
    notFound,
    notFound,
    notFound,
    notFound,
    notFound,
    notFound,
    notFound,
  ),
  row(
    'Server functions and actions by name, on the page that called them',
    nextApp.functions,
    '–',
    functions,
    functions,
    functions,
    page('astro: an action counts on the page that called it'),
    '–',
  ),
  row(
    'How a navigation got its data, or that it is not known',
    nextApp.navigations,
    navigations,
    navigations,
    navigations,
    navigations,
    '–',
    navigations,
  ),
  row(
    'A page that only fails on the server is a page',
    nextApp.documents,
    documents,
    documents,
    documents,
    'not sent',
    documents,
    documents,
  ),
  row(
    'Prefetches stay out of the times of routes',
    nextApp.prefetches,
    prefetches,
    prefetches,
    'not sent',
    'not sent',
    prefetches,
    prefetches,
  ),
  row('A page that was left early has not failed', nextApp.left, left, left, left, left, left, left),
  row(
    'An open tab of an old deploy is one issue of its release',
    nextApp.skew,
    pagesSkew,
    skew,
    skew,
    skew,
    skew,
    skew,
  ),
  row(
    'A server’s error for a file of an older build belongs to that issue',
    'not sent',
    'not sent',
    serverSkew,
    'not sent',
    'not sent',
    'not sent',
    'not sent',
  ),
  row(
    'An app of its snippets, built for production and visited, has only real issues',
    nextBuilt,
    built('an app of the Pages Router'),
    built('an app of React Router'),
    built('an app of TanStack Start'),
    '–',
    '–',
    built('an app with its own server'),
  ),
  row('Snippets on the project page', snippet, snippet, snippet, snippet, snippet, snippet, snippet),
]

const shownAs = (cell: Cell): string => {
  if (cell === 'not sent') return 'the SDK does not send it'
  return typeof cell === 'string' ? cell : 'yes'
}

/** Cells of one row have at most a few proofs, which are listed below the table once. */
export function writeMatrix(): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = matrix.map(({ capability, cells }, at) =>
    line([`${capability} [${at + 1}]`, ...frameworks.map(name => shownAs(cells[name]))]),
  )
  const proofs = matrix.map(({ cells }, at) => {
    const files = new Set(frameworks.flatMap(name => (typeof cells[name] === 'string' ? [] : [cells[name].proof.file])))
    return `${at + 1}. ${[...files].map(file => `[${file}](../${file})`).join(', ')}`
  })
  return [line(['', ...frameworks]), line(['---', ...frameworks.map(() => '---')]), ...lines, '', ...proofs].join('\n')
}

// node test/framework-matrix.ts
if (import.meta.main) process.stdout.write(`${writeMatrix()}\n`)
