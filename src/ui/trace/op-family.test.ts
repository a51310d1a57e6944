import { expect, test } from 'vitest'
import { opFamily, opLabel } from './op-family.tsx'

test('an operation is named without its package', () => {
  const named = [
    'function.react_router.loader',
    'function.react_router.client_action',
    'function.nextjs',
    'db.sql.prisma',
  ]
  expect(named.map(opLabel)).toEqual(['loader', 'client action', 'function.nextjs', 'db.sql.prisma'])
})

test('middleware of Next.js has the color of the edge, and that of a server the color of code, like loaders and actions', () => {
  const code = [
    'middleware.express',
    'function.react_router.middleware',
    'function.react_router.action',
    'loader.remix',
  ]
  expect([...new Set(code.map(opFamily))]).toEqual(['render'])
  expect(opFamily('middleware.nextjs')).toBe('edge')
})
