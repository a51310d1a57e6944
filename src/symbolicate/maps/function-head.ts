/** Patterns are linear: none repeats what it also lets a neighbour repeat. Lines are short besides. */
const declared = /\bfunction\s*\*?\s*([A-Za-z_$][\w$]*)/
/** `export const pay = async (cart) => {`, `const Cart = memo(function …`, `let pay = cart => …`. */
const assigned =
  /\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)[^=]*=\s*(?:(?:use[A-Z]\w*|(?:React\.)?(?:memo|forwardRef|cache|lazy)|with[A-Z]\w*)(?:<[^>]*>)?\()?\s*(?:async\b\s*)?(?:function\b|\(|<|[A-Za-z_$][\w$]*\s*=>)/
/** `pay: async cart => …`, `onClick={() => …`, `exports.pay = function (…`, `this.pay = (…`, `#pay = () => …`. */
const member =
  /(?:^|[\s.{(,#])([A-Za-z_$][\w$]*)\s*[:=]\s*\{?\s*(?:async\b\s*)?(?:function\b|\(|[A-Za-z_$][\w$]*\s*=>)/g
/** `async pay(cart) {`, `get total() {`, `static from<T>(…) {`. */
const method =
  /^\s*(?:(?:public|private|protected|static|override|async|get|set)\s+)*\*?#?([A-Za-z_$][\w$]*)\s*(?:<[^<>]*>)?\(/
const methodEnd = /\)\s*(?::[^(){}]*)?\{\s*$/
const isFunctionLike = /=>|\bfunction\b|[({,]\s*$/
const notNames = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'with',
  'return',
  'await',
  'new',
  'function',
  'async',
])

/** The name of the function that begins in this line, '' when none does. `endsBelow`: its parameters end in a later line. */
export function functionHead(text: string, endsBelow = false): string {
  const plain = declared.exec(text)?.[1]
  if (plain !== undefined) return plain
  if (isFunctionLike.test(text)) {
    const variable = assigned.exec(text)?.[1]
    if (variable !== undefined) return variable
    const property = [...text.matchAll(member)].at(-1)?.[1]
    if (
      property !== undefined &&
      !notNames.has(property) &&
      (text.includes('=>') || endsBelow || /\bfunction\b/.test(text))
    )
      return property
  }
  const called = method.exec(text)?.[1]
  if (called === undefined || notNames.has(called) || text.includes('=>')) return ''
  return endsBelow || methodEnd.test(text) ? called : ''
}

/** Does a line that begins by closing something end the parameters of a function, as `}: Props) {` does? */
export const endsParameters = (text: string): boolean => methodEnd.test(text) || /=>\s*\{?\s*$/.test(text)
