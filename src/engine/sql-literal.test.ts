import { expect, test } from 'vitest'
import { sqlLiteral } from './sql-literal.ts'

test('a value cannot leave its quotes', () => {
  expect(sqlLiteral("x'; DROP TABLE t; --")).toBe("'x\\'; DROP TABLE t; --'")
  expect(sqlLiteral("\\'")).toBe("'\\\\\\''")
})

test('a NUL does not cut the statement', () => {
  expect(sqlLiteral('a\0b')).toBe("'a\\0b'")
})
