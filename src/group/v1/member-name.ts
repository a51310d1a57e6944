/** `e.cart.items` → `items`, `e[0]` → `0`, `e.total = 3` → `total`; '' when the expression ends in no member. */
const assignment = /\s*(?:[-+*/%&|^]|\?\?|\|\||&&)?=(?![=>]).*$/s
const member = /\.#?([\w$]{1,100})$/
const index = /\[["']?([^\]"']{1,100})["']?\]$/

export function memberName(expression: string): string {
  const target = expression.replace(assignment, '').trim()
  return (member.exec(target) ?? index.exec(target))?.[1] ?? ''
}
