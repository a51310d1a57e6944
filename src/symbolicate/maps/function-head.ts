/** For lines of at most 400 chars whose white space is one blank at a time: none repeats what it also lets a neighbor repeat. */
const declared = /\bfunction ?\*? ?([A-Za-z_$][\w$]*)/
/** `export const pay = async (cart) => {`, `const Cart = memo(function …`, `let pay = cart => …`. */
const assigned =
  /\b(?:const|let|var) ([A-Za-z_$][\w$]*)(?![\w$])[^=]*= ?(?:(?:use[A-Z]\w*|(?:React\.)?(?:memo|forwardRef|cache|lazy)|with[A-Z]\w*)(?:<[^>]*>)?\()? ?(?:async\b ?)?(?:function\b|\(|<|[A-Za-z_$][\w$]* ?=>)/
/** `pay: async cart => …`, `onClick={() => …`, `exports.pay = function (…`, `this.pay = (…`, `#pay = () => …`. */
const member = /(?:^|[ .{(,#])([A-Za-z_$][\w$]*) ?[:=] ?\{? ?(?:async\b ?)?(?:function\b|\(|[A-Za-z_$][\w$]* ?=>)/g
/** `async pay(cart) {`, `get total() {`, `static from<T>(…) {`. */
const method =
  /^ ?(?:(?:public|private|protected|static|override|async|get|set) )*\*?#?([A-Za-z_$][\w$]*) ?(?:<[^<>]*>)?\(/
const methodEnd = /\) ?(?::[^(){}]*)?\{ ?$/
const isFunctionLike = /=>|\bfunction\b|[({,] ?$/
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
export function functionHead(line: string, endsBelow = false): string {
  const text = withSingleBlanks(line)
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
export function endsParameters(line: string): boolean {
  const text = withSingleBlanks(line)
  return methodEnd.test(text) || /=> ?\{? ?$/.test(text)
}

const withSingleBlanks = (line: string): string => line.replace(/\s+/g, ' ')
