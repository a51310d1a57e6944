import { expect, it } from 'vitest'
import { placeOf } from './place-of.ts'

const error = (value: string) => ({ values: [{ type: 'Error', value }] })

it.each([
  ['a page script', { platform: 'javascript', contexts: {}, exception: error('no cart') }, 'browser'],
  ['a server component', { platform: 'node', contexts: { runtime: { name: 'node' } } }, 'server'],
  [
    'a bundle that calls its platform javascript',
    { platform: 'javascript', contexts: { runtime: { name: 'node' } } },
    'server',
  ],
  ['middleware', { platform: 'javascript', contexts: { runtime: { name: 'vercel-edge' } } }, 'edge'],
  ['another language', { platform: 'python', contexts: {} }, 'server'],
  [
    'a mismatch in words',
    { platform: 'javascript', contexts: {}, exception: error('Hydration failed because the server rendered text') },
    'both',
  ],
  [
    'a mismatch as a number',
    { platform: 'javascript', contexts: {}, exception: error('Minified React error #418; visit x') },
    'both',
  ],
  [
    'another minified error',
    { platform: 'javascript', contexts: {}, exception: error('Minified React error #441; visit x') },
    'browser',
  ],
] as const)('%s', (_, event, place) => {
  expect(placeOf(structuredClone(event) as unknown as Parameters<typeof placeOf>[0])).toBe(place)
})
