/** Frames that are nobody's: engines' own, evaluated text, and helpers that come and go with a runtime's or compiler's version. */
import type { Frame } from '#protocol/event.ts'
import { fileOf } from './file-of.ts'

const functions = new Set([
  'eval',
  'nextTick',
  'processTicksAndRejections',
  'queueMicrotask',
  'runMicrotasks',
  'runNextTicks',
  'sentryWrapped',
])
const files = new Set(['<anonymous>', '[native code]', 'native code', 'eval code', '[eval]'])
const helpers = /(?:^|\/)(?:@babel|core-js|regenerator-runtime|tslib)\/|newrelic|LogRocket/
/** Firefox's `app.js line 3 > eval`, V8's `eval at run (…)`, and `index 0` of `async Promise.all`. */
const evaluated = / > (?:eval|Function)\b|^eval at |^index \d+$/

export function isPlumbing(frame: Frame, name: string): boolean {
  if (functions.has(name)) return true
  const file = fileOf(frame)
  if (file === '') return name === ''
  return files.has(file) || evaluated.test(file) || helpers.test(file)
}
