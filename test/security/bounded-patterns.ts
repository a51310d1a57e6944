/**
 * Patterns that no check proves linear, each with a bound of the text it runs on: work of n² is then at most `maxChars` steps for each
 * char that arrived. `file` is where the pattern stands, `start` how it begins, `because` where the text is cut.
 */
export type BoundedPattern = { file: string; start: string; maxChars: number; because: string }

export const boundedPatterns: readonly BoundedPattern[] = [
  {
    file: 'src/group/v1/file-traits.ts',
    start: '^(?:https?|app):.*[-._~]',
    maxChars: 512,
    because: 'fileTraits() cuts',
  },
  {
    file: 'src/group/v1/wordings/language.ts',
    start: "^can't access property",
    maxChars: 2_000,
    because: 'findFailure()',
  },
  {
    file: 'src/group/v1/variable-pattern.ts',
    start: '',
    maxChars: 1_000,
    because: 'parametrise() cuts; at most 200 a step',
  },
  { file: 'src/lens/route.ts', start: '\\/(?:@|', maxChars: 512, because: 'routeOf() takes no longer one' },
  { file: 'src/lens/route.ts', start: '(?<!:[', maxChars: 512, because: 'routeOf() takes no longer one' },
  { file: 'src/lens/route.ts', start: '^((?:\\(\\.\\.\\))+', maxChars: 512, because: 'routeOf() takes no longer one' },
  {
    file: 'src/symbolicate/maps/function-head.ts',
    start: '\\b(?:const|let|var)',
    maxChars: 400,
    because: 'enclosingFunction()',
  },
  {
    file: 'src/lens/hydration/text-traits.ts',
    start: '\\b(?=[a-z0-9_-]{0,64}',
    maxChars: 16_384,
    because: 'texts are cut by digest/limits.ts; each position looks at 64 chars, three times',
  },
  {
    file: 'src/scrub/scrub-text.ts',
    start: '((?:passw',
    maxChars: 16_384,
    because:
      'texts are cut by digest/limits.ts; a quoted value ends where the next begins, so only one can be read in vain',
  },
  { file: 'src/helper/read-helper.ts', start: '', maxChars: 10_000, because: 'it reads hydration.ts of this project' },
  // Linear by their looks: each begins with words that cannot repeat inside it. To prove it takes longer than all others together.
  {
    file: 'src/group/v1/wordings/language.ts',
    start: '^(?<callee>.{1,300}?) is not a function',
    maxChars: 2_000,
    because: 'findFailure()',
  },
  {
    file: 'src/group/v1/find-failure.ts',
    start: '',
    maxChars: 2_000,
    because: 'findFailure(); its parts are the wordings',
  },
  { file: 'src/lens/noise/extension-rule.ts', start: 'Object Not Found', maxChars: 8_192, because: 'digest/limits.ts' },
  { file: 'src/lens/react-error.ts', start: 'https:', maxChars: 8_192, because: 'digest/limits.ts' },
  {
    file: 'src/lens/react-errors/read-minified-error.ts',
    start: '(?:https?:',
    maxChars: 2_000,
    because: 'readMinifiedError() cuts',
  },
  { file: 'src/lib/compare-releases.ts', start: '^v?', maxChars: 1_024, because: 'digest/limits.ts cuts names' },
  { file: 'src/lib/read-multipart.ts', start: '^multipart', maxChars: 16_384, because: 'Node takes no longer headers' },
  {
    file: 'src/queries/explore/find-field.ts',
    start: '^tags',
    maxChars: 16_384,
    because: 'Node takes no longer request lines',
  },
]
