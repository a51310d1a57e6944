import { describe, expect, test } from 'vitest'
import { enclosingFunction } from './resolve-position.ts'
import { sourceLines } from './source-lines.ts'

/** The function around the mark `¦` in a source. */
function around(marked: string): string {
  const before = marked.slice(0, marked.indexOf('¦'))
  const line = before.split('\n').length
  const column = before.length - (before.lastIndexOf('\n') + 1)
  return enclosingFunction(sourceLines(marked.replace('¦', '')), line, column)
}

describe('the function around a position in a source', () => {
  test('is the component whose body contains it', () => {
    expect(around('export function CartTotal({ items }: Props) {\n  const sum = items¦.length\n}')).toBe('CartTotal')
  })

  test('is found above parameters on separate lines', () => {
    expect(
      around(
        'export default async function Page({\n  params,\n}: {\n  params: P\n}) {\n  if (x) {\n    boom¦()\n  }\n}',
      ),
    ).toBe('Page')
  })

  test('is the nearest one that has a name', () => {
    expect(
      around('function total(items) {\n  return items.map(item => {\n    return item.price¦.amount\n  })\n}'),
    ).toBe('total')
    expect(around('function Cart() {\n  useEffect(() => {\n    load¦()\n  }, [])\n}')).toBe('Cart')
  })

  test('may be a variable, a property, a handler or a method', () => {
    expect(around('const pay = async (cart: Cart): Promise<void> => {\n  charge¦(cart)\n}')).toBe('pay')
    expect(around('const pay = useCallback(async () => {\n  charge¦(cart)\n}, [])')).toBe('pay')
    expect(around('const add = (a, b) => a.price¦ + b')).toBe('add')
    expect(around('exports.handler = function (event) {\n  fail¦()\n}')).toBe('handler')
    expect(around('  <button\n    onClick={() => {\n      fail¦()\n    }}\n  />')).toBe('onClick')
    expect(around('class Cart {\n  async total(cart: Cart): Promise<number> {\n    return cart¦.sum\n  }\n}')).toBe(
      'total',
    )
    expect(around('class Cart {\n\tget total() {\n\t\treturn this¦.sum\n\t}\n}')).toBe('total')
  })

  test('is not a call, a variable or a condition', () => {
    expect(around('function boot() {\n  setTimeout(() => {\n    fail¦()\n  }, 5)\n}')).toBe('boot')
    expect(around('function boot() {\n  const sum = items.reduce((sum, item) => sum + item¦.price, 0)\n}')).toBe('boot')
    expect(around('function boot() {\n  if (a) {\n    b()\n  } else if (c(\n    d\n  )) {\n    fail¦()\n  }\n}')).toBe(
      'boot',
    )
  })

  test('is none at the top of a module or in a generated line', () => {
    expect(around('import a from "a"\nconst b = a¦.b')).toBe('')
    expect(around(`function x() {\n${' '.repeat(2)}${'a();'.repeat(200)}¦}`)).toBe('')
    expect(around('export default function () {\n  fail¦()\n}')).toBe('default')
  })
})
