import type { Failure } from './wordings.ts'

/** Error messages of JavaScript engines, in this order: V8 (Chrome, Edge, Node), SpiderMonkey (Firefox), JavaScriptCore (Safari). */
export const languageFailures: readonly Failure[] = [
  {
    message: 'property {property} of {nothing}',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^Cannot (?:read|set) properties of (?<nothing>undefined|null)(?: \((?:reading|setting) '(?<property>.*)'\))?/s,
      /^Cannot (?:read|set) property '(?<property>.*)' of (?<nothing>undefined|null)/s,
      /^Cannot destructure property '(?<property>(?:(?!' of ).)*)' of .* as it is (?<nothing>undefined|null)/s,
      /^can't access property "?(?<property>(?:(?!"?, ).)*)"?, .* is (?<nothing>undefined|null)$/s,
      /^(?<nothing>undefined|null) has no properties$/,
      /^(?:[\w$.[\]]|\(intermediate value\)){1,100} is (?<nothing>undefined|null)$/,
      /^(?<nothing>undefined|null) is not an object \(evaluating '(?<expression>.*)'\)$/s,
      /^(?<nothing>undefined|null) is not an object$/,
    ],
  },
  {
    message: 'not iterable',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^.{1,300}? is not iterable(?: \(cannot read property Symbol\(Symbol\.iterator\)\))?$/s,
      /^.{1,300}? is not a function \(near '/s,
      /^Spread syntax requires \.\.\.iterable/,
    ],
  },
  {
    message: '{function} is not a function',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^(?<callee>.{1,300}?) is not a function(?:\. \(In '.*)?$/s,
      /^undefined is not a function \(evaluating '(?<callee>[^'(]{1,300})\(/,
    ],
  },
  {
    message: '{function} is not a constructor',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^(?<callee>.{1,300}?) is not a constructor$/s,
      /^.{1,300}? is not a constructor \(evaluating 'new (?<callee>[^'(]{1,300})/s,
    ],
  },
  {
    message: '{name} is not defined',
    onlyTypes: ['ReferenceError'],
    identifies: 'bug',
    wordings: [/^(?<name>[\w$]{1,100}) is not defined$/, /^Can't find variable: (?<name>[\w$]{1,100})$/],
  },
  {
    message: 'variable used before it was set',
    onlyTypes: ['ReferenceError'],
    identifies: 'kind',
    wordings: [
      /^Cannot access '.*' before initialization$/s,
      /^can't access lexical declaration ['"`].*['"`] before initialization$/s,
      /^Cannot access uninitialized variable\.?$/,
    ],
  },
  {
    message: 'too much recursion',
    onlyTypes: ['RangeError', 'InternalError'],
    type: 'RangeError',
    identifies: 'kind',
    isRecursion: true,
    wordings: [/^Maximum call stack size exceeded\.?$/, /^too much recursion$/],
  },
  {
    message: 'constant was assigned to',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^Assignment to constant variable\.$/,
      /^Cannot assign to read only property /,
      /^invalid assignment to const /,
      /^".*" is read-only$/s,
      /^Attempted to assign to (?:readonly property|const variable)\.$/,
    ],
  },
  {
    message: 'property added to a closed object',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^Cannot add property .*, object is not extensible$/s,
      /^can't define property (?:(?!: ).)*: .* is not extensible$/s,
      /^Attempting to define property on object that is not extensible\.$/,
    ],
  },
  {
    message: 'in asked of what is no object',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^Cannot use 'in' operator to search for /,
      /^(?:cannot use 'in' operator to search for|right-hand side of 'in' should be an object)/,
      /^.(?:(?! is not an Object\. \(evaluating ').){0,199} is not an Object\. \(evaluating '(?:(?! in ).)* in .*'\)$/s,
    ],
  },
  {
    message: 'invalid date',
    onlyTypes: ['RangeError'],
    identifies: 'kind',
    wordings: [/^Invalid time value$/, /^(?:invalid date|date value is not finite.*)$/, /^Invalid Date$/],
  },
  {
    message: 'circular value as JSON',
    onlyTypes: ['TypeError'],
    identifies: 'kind',
    wordings: [
      /^Converting circular structure to JSON/,
      /^cyclic object value$/,
      /^JSON\.stringify cannot serialize cyclic structures\.?$/,
    ],
  },
]
