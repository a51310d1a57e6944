import { expect, it } from 'vitest'
import { findOwnHost, nameRequest } from './name-request.ts'

const shop = 'localhost:3000'
const ask = (name: string, url: string) => nameRequest({ name, method: 'GET', url }, shop)

it('a request is named by method and path, and by its host where that is not the app’s own', () => {
  expect(ask('GET localhost', 'http://localhost:3000/api/items/7?page=2#top')).toBe('GET /api/items/7')
  expect(ask('GET', 'http://localhost:3000')).toBe('GET /')
  expect(ask('GET https://stock.example/v1', 'https://ada:secret@Stock.example/v1')).toBe('GET stock.example/v1')
  expect(nameRequest({ name: 'POST localhost', method: '', url: 'http://localhost:3000/cart' }, shop)).toBe(
    'POST /cart',
  )
})

it('a name that tells more stays, and so does one whose address is not known', () => {
  expect(ask('GET /items/{id}', 'http://localhost:3000/items/7')).toBeNull()
  expect(ask('GET localhost', '')).toBeNull()
  expect(ask('GET localhost', '/items/7')).toBeNull()
})

it('the app’s own host is where the trace began, else the only one that is asked', () => {
  expect(findOwnHost(['/cart', 'https://shop.example/cart'], ['https://api.example/a'])).toBe('shop.example')
  expect(findOwnHost([], ['http://localhost:3000/a', 'http://localhost:3000/b'])).toBe('localhost:3000')
  expect(findOwnHost([], ['https://a.example/', 'https://b.example/'])).toBe('')
})
