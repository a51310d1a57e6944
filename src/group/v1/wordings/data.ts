import type { Failure } from './failure.ts'

/** Answers that are no JSON, and scripts that are no JavaScript. */
export const dataFailures: readonly Failure[] = [
  {
    says: 'JSON ends too early',
    onlyTypes: ['SyntaxError'],
    tells: 'kind',
    wordings: [
      /^Unexpected end of JSON input/,
      /^Unterminated string in JSON at position /,
      /^JSON\.parse: (?:unexpected end of data|end of data|unterminated string)/,
      /^JSON Parse error: (?:Unexpected EOF|Unterminated string)/,
    ],
  },
  {
    says: 'not valid JSON',
    onlyTypes: ['SyntaxError'],
    tells: 'kind',
    wordings: [
      /^Unexpected token .* is not valid JSON$/s,
      /^".*" is not valid JSON$/s,
      /^[^\n]{1,200} in JSON at position \d+/,
      /^Unexpected non-whitespace character after JSON/,
      /^JSON\.parse: /,
      /^JSON Parse error: /,
      /^The string did not match the expected pattern\.$/,
    ],
  },
  {
    says: 'a script is not JavaScript',
    onlyTypes: ['SyntaxError'],
    tells: 'kind',
    wordings: [/^Unexpected token '?<'?$/, /^expected expression, got '<'$/],
  },
]
