import { expect, it } from 'vitest'
import { readEvent } from '../../../test/read-event.ts'
import { readHydration } from './read-hydration.ts'

it.each([
  ['Text content does not match server-rendered HTML.', 'text'],
  ['Warning: Text content did not match. Server: "3 days ago" Client: "4 days ago"', 'text'],
  ["Hydration failed because the server rendered text didn't match the client. As a result …", 'text'],
  ["Hydration failed because the server rendered HTML didn't match the client. As a result …", 'markup'],
  ['Hydration failed because the initial UI does not match what was rendered on the server.', 'markup'],
  ['Warning: Expected server HTML to contain a matching <div> in <p>.', 'markup'],
  ['Warning: Did not expect server HTML to contain a <span> in <div>.', 'markup'],
  ['Warning: Prop `className` did not match. Server: "a" Client: "b"', 'attributes'],
  [
    "A tree hydrated but some attributes of the server rendered HTML didn't match the client properties. This",
    'attributes',
  ],
  ['In HTML, <div> cannot be a descendant of <p>.\nThis will cause a hydration error.', 'nesting'],
  ['Warning: validateDOMNesting(...): <div> cannot appear as a descendant of <p>.', 'nesting'],
  ['There was an error while hydrating this Suspense boundary. Switched to client rendering.', 'anything'],
  ['Uncaught Error: There was an error while hydrating. Because the error happened outside', 'anything'],
  ['This Suspense boundary received an update before it finished hydrating. This caused', 'early'],
  ['Minified React error #418; visit https://react.dev/errors/418?args[]=HTML&args[]= for the full message', 'markup'],
  ['Minified React error #418; visit https://reactjs.org/docs/error-decoder.html?invariant=418 for', 'anything'],
  ['Minified React error #423; visit https://reactjs.org/docs/error-decoder.html?invariant=423 for', 'anything'],
  ['Minified React error #425; visit https://reactjs.org/docs/error-decoder.html?invariant=425 for', 'text'],
  ['Minified React error #421; visit https://react.dev/errors/421 for', 'early'],
])('recognizes: %s', (message, about) => {
  expect(readHydration(message)?.about).toBe(about)
})

it('a recorded production error of React 19 is a text mismatch', () => {
  const message = readEvent('next-hydration/003').exception?.values[0]?.value ?? ''
  expect(readHydration(message)).toEqual({ about: 'text', code: 418 })
})

it.each([
  'Minified React error #441; visit https://react.dev/errors/441 for',
  'Minified React error #419; visit https://react.dev/errors/419 for',
  'The hydration station is closed',
  '',
])('not about hydration: %s', message => {
  expect(readHydration(message)).toBeNull()
})
