/** `e.cart.items` → `items`, `e[0]` → `0`, `e.total = 3` → `total`; '' when the expression ends in no member. */
const member = /\.#?([\w$]{1,100})$/
const index = /\[["']?([^\]"']{1,100})["']?\]$/

export function memberName(expression: string): string {
  const target = assigned(expression).trim()
  return (member.exec(target) ?? index.exec(target))?.[1] ?? ''
}

const operators = new Set(['??', '||', '&&', '-', '+', '*', '/', '%', '&', '|', '^'])

/** What stands before the first `=`, `+=` or `??=`; `==` and `=>` assign nothing. */
function assigned(expression: string): string {
  for (let at = expression.indexOf('='); at !== -1; at = expression.indexOf('=', at + 1)) {
    const next = expression[at + 1]
    if (next === '=' || next === '>') continue
    const operatorChars = [2, 1].find(chars => operators.has(expression.slice(Math.max(0, at - chars), at))) ?? 0
    return expression.slice(0, at - operatorChars)
  }
  return expression
}
