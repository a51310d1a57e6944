/** Patterns that are not proven linear, each with a bound of its text: `start` is the start of the pattern, `because` explains the bound. */
export type BoundedPattern = { file: string; start: string; because: string }

const cutBy = (file: string, start: string, maxChars: number, where: string): BoundedPattern => ({
  file,
  start,
  because: `${where} lets it see ${maxChars} chars`,
})

/** These run on untrusted text. bounds.test.ts calls each function that cuts it. */
const fromOutside: readonly BoundedPattern[] = [
  cutBy('src/grouping/v1/file-traits.ts', '^(?:https?|app):.*[-._~]', 512, 'fileTraits()'),
  ...['src/grouping/v1/language-wordings.ts', 'src/grouping/v1/message.ts'].flatMap(file =>
    [
      "^Cannot destructure property '",
      '^can\'t access property "?',
      "^can't define property ",
      '^.(?:(?! is not an Object',
    ].map(start => cutBy(file, start, 2_000, 'findFailure()')),
  ),
  cutBy('src/grouping/v1/parametrize.ts', '(?<!\\w)(?=[\\w:+-]{0,64}\\d)', 1_000, 'parametrize()'),
  cutBy('src/react/route.ts', '\\/(?:@|\\([^.)]+\\)', 512, 'routeOf()'),
  cutBy('src/react/route.ts', '^((?:\\(\\.\\.\\))+', 512, 'routeOf()'),
  cutBy('src/symbolication/resolve-position.ts', '\\b(?:const|let|var)', 400, 'enclosingFunction()'),
  {
    file: 'src/ui/snippets/color-code.ts',
    start: '\\b(?<cn>\\d+)\\b',
    because: 'a number is tried where a word begins, so each is read once',
  },
  {
    file: 'src/grouping/v3/parametrize.ts',
    start: '((?<![\\w-])eyJ',
    because: 'a token is tried where a word begins and has three of them, so each is read three times at most',
  },
  { file: 'src/grouping/v3/words.ts', start: '[A-Z]+(?![a-z])', because: 'it takes back one letter at most' },
]

const fromThisProject: readonly BoundedPattern[] = [
  { file: 'src/dev/preload-packages.ts', start: '^(?:import|export)', because: 'it reads files of this project' },
  {
    file: 'src/domain/channels/drawing/read-markup.ts',
    start: '(?<!\\\\)\\[(',
    because: 'it reads lines of a request that this project has made, which is cut to the limits of its channel',
  },
  { file: 'src/replay-player/serve-player.ts', start: '\\n\\/\\/# source', because: 'it reads a file of a package' },
  {
    file: 'src/engine/statement-from-request.ts',
    start: '^(?:\\s+|--',
    because: 'statements are written by this project, and values are bound',
  },
  {
    file: 'src/store/telemetry/scope/sql-tokens.ts',
    start: "'(?:[^'\\\\]|",
    because: 'it is sticky, so it is tried once per token, and queries are written by this project',
  },
  ...['\\/\\*\\*[\\s\\S]*?', '^\\s*\\/\\/', '[ \\t]*\\n'].map(start => ({
    file: 'src/lib/read-browser-script.ts',
    start,
    because: 'it reads scripts of this project',
  })),
  ...['^0::(', '^\\d+:(?:[^:]*,)?memory'].map(start => ({
    file: 'src/lib/memory-limit.ts',
    start,
    because: 'the kernel writes the text',
  })),
  {
    file: 'src/store/telemetry/table-layout.ts',
    start: '^[ \\t]*--',
    because: 'migrations are files of this project',
  },
]

export const boundedPatterns: readonly BoundedPattern[] = [...fromOutside, ...fromThisProject]
