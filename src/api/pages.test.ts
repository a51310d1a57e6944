import { expect, test } from 'vitest'
import { readCount, readPage, startOf } from './pages.ts'

const search = (text: string) => new URLSearchParams(text)

test.each([
  ['', 10],
  ['limit=', 10],
  ['limit=7', 7],
  ['limit=100', 100],
  ['limit=101', 100],
  ['limit=500', 100],
])('reads the count of %j as %i', (text, count) => {
  expect(readCount(search(text), 'limit', { usual: 10, max: 100 })).toBe(count)
})

test.each(['1e9', '-5', '0', '2.5', 'Infinity', 'many', ' 7', '7x', '9'.repeat(30)])('refuses the count %j', text => {
  const refused = readCount(new URLSearchParams({ limit: text }), 'limit', { usual: 10, max: 100 })
  expect(refused).toMatchObject({ status: 400 })
})

test('a page begins where its cursor says, and a damaged cursor is refused', () => {
  expect(readPage(search(''), { usual: 25 })).toEqual({ offset: 0, limit: 25 })
  expect(readPage(search('cursor=&per_page=5'))).toEqual({ offset: 0, limit: 5 })
  expect(readPage(search('cursor=0:50:0'))).toEqual({ offset: 50, limit: 100 })
  expect(readPage(search('cursor=17:50:1'))).toEqual({ offset: 50, limit: 100, asOf: 17 })
  expect(readPage(search('cursor=0:100000:0'))).toMatchObject({ offset: 100_000 })
  expect(readPage(search('cursor=17:-2.5:kYTpiLzE'), { isKeyed: true })).toEqual({
    ...{ offset: 0, limit: 100, asOf: 17, after: { key: -2.5, id: 'a:b/1' } },
  })
  expect(readPage(search('cursor=17:null:kYQ'), { isKeyed: true })).toMatchObject({ after: { key: null, id: 'a' } })
  for (const cursor of ['17:5:kYQ', '17::kYQ', '17:5:k', '0:50', '0:-50:0', '0:50:2', 'undefined', '0:100001:0'])
    expect(readPage(search(`cursor=${cursor}`)), cursor).toMatchObject({ status: 400 })
})

test('a page of a whole list begins after the last row of the page before, wherever that is now', () => {
  const after = (all: string, key: number, id: string) =>
    startOf([...all], { offset: 0, limit: 2, after: { key, id } }, row => row)
  expect(startOf([...'abcd'], { offset: 2, limit: 2 }, row => row)).toBe(2)
  expect(after('abcd', 1, 'b')).toBe(2)
  expect(after('xyabcd', 1, 'b')).toBe(4)
  expect(after('bcd', 1, 'b')).toBe(1)
  expect(after('acd', 1, 'b')).toBe(1)
  expect(after('', 1, 'b')).toBe(1)
  // Rows that look alike are passed one by one.
  expect(after('abbc', 2, 'b')).toBe(3)
})
