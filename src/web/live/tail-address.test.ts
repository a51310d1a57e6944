import { expect, test } from 'vitest'
import { maxSearches, splitSearches, tailAddress } from './tail-address.ts'

const since = '5~inbox.3'

test('the address of a stream has each search with its position', () => {
  const address = tailAddress([
    ['/acme/logs/tail?q=a%26b', since],
    ['/other/logs/tail', '7'],
  ])
  const url = new URL(address, 'http://hydrant')
  expect(url.pathname).toBe('/acme/logs/tail')
  expect(url.searchParams.getAll('search')).toEqual(['/acme/logs/tail?q=a%26b', '/other/logs/tail'])
  expect(url.searchParams.getAll('since')).toEqual([since, '7'])
})

test('searches that are too many or too long for one address get a second one', () => {
  const short = Array.from({ length: maxSearches + 1 }, (_, index) => [`/acme/logs/tail?q=${index}`, since] as const)
  expect(splitSearches(short).map(group => group.length)).toEqual([maxSearches, 1])
  const long = [1, 2].map(index => [`/acme/logs/tail?q=${index}${'x'.repeat(4_000)}`, since] as const)
  expect(splitSearches(long).map(group => group.length)).toEqual([1, 1])
  expect(splitSearches([])).toEqual([])
})
