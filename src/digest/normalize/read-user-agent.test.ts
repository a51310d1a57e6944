import { expect, it } from 'vitest'
import { readUserAgent } from './read-user-agent.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

it.each([
  ['Macintosh; Intel Mac OS X 10_15_7', 'macOS', '>=10.15.7'],
  ['Macintosh; Intel Mac OS X 10.15; rv:133.0', 'macOS', '>=10.15'],
  ['Macintosh; Intel Mac OS X 10_12_6', 'macOS', '10.12.6'],
  ['Windows NT 10.0; Win64; x64', 'Windows', '>=10'],
  ['Windows NT 6.1; Win64; x64', 'Windows', '7'],
  ['Linux; Android 10; K', 'Android', '>=10'],
  ['Linux; Android 4.0.3; GT-I9100', 'Android', '4.0.3'],
  ['X11; Linux x86_64', 'Linux', ''],
])('the operating system of %s is %s %s', (system, osName, osVersion) => {
  expect(readUserAgent(`Mozilla/5.0 (${system}) ${chrome}`)).toMatchObject({ osName, osVersion })
})
