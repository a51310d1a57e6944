import { expect, test } from 'vitest'
import { csvLine } from './export-logs.ts'

test('a cell that a spreadsheet would run is text', () => {
  expect(csvLine(['=HYPERLINK("http://x")', '+1+2', '-cmd', '@SUM(A1)', '\t=1', ' =1', '＝1'])).toBe(
    `"'=HYPERLINK(""http://x"")",'+1+2,'-cmd,'@SUM(A1),'\t=1,' =1,'＝1\r\n`,
  )
})

test('numbers stay numbers, and quotes, commas and line ends stay in their cell', () => {
  expect(csvLine([-5, '-12.5', 'a,b', 'say "x"', 'one\ntwo', ''])).toBe('-5,-12.5,"a,b","say ""x""","one\ntwo",\r\n')
})
