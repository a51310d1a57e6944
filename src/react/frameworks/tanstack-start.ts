import { pathOf } from '../path-of.ts'
import type { Framework } from './framework.ts'
import { nitroLibraries, nitroUnmapped } from './nitro.ts'

const serverFunction = /^\/_serverFn\/([^/]*)/

export const tanstackStart: Framework = {
  id: 'tanstack-start',
  name: 'TanStack Start',
  sdks: ['sentry.javascript.tanstackstart-react'],
  routeSegments: [
    { why: 'The rest of the path has no name.', pattern: /^\$$/, spelled: '[...]' },
    { why: 'A dollar begins a parameter.', pattern: /^\{?\$([\w-]+)\}?$/, spelled: '[$1]' },
    { why: 'An optional parameter.', pattern: /^\{-\$([\w-]+)\}$/, spelled: '[[$1]]' },
    { why: 'A layout without a path is part of the id of its routes.', pattern: /^_[\w-]+$/, spelled: '' },
    { why: 'A route outside of the layout with its name.', pattern: /^([\w-]+)_$/, spelled: '$1' },
  ],
  routerOrigin: 'tanstack',
  functionPath: serverFunction,
  failedFunction: 'auto.middleware.tanstackstart.server_function',
  actionSpan: {
    origin: 'auto.function.tanstackstart.server',
    name: /^\w+ \/_serverFn\/(.+)$/s,
    fileKey: 'tanstackstart.function.filename',
  },
  controlFlow: [
    {
      kind: 'not-found',
      why: 'notFound() is an object with this key, which loaders and server functions throw.',
      matches: ({ value }) => value === 'Object captured as exception with keys: isNotFound',
    },
    {
      kind: 'signal',
      why: 'redirect() is a Response; the SDK reports any thrown Response by this text, without its status.',
      matches: ({ event, value }) =>
        value === '[object Response]' && event.exception?.values.at(-1)?.mechanism?.synthetic === true,
    },
    {
      kind: 'signal',
      why: 'Early versions report a redirect by the name of its class.',
      matches: ({ type, value }) => type === 'RedirectError' && value.length < 200,
    },
  ],
  redacted: [],
  echoed: [
    {
      why: 'A rejected server function reaches the browser as text, and is thrown where the serializer has read it.',
      matches: frames => /(?:^|\.)deserialize$/.test(frames.at(-1)?.name ?? ''),
    },
    {
      why: 'The error of a loader is in a script of the document, before any file of the app.',
      matches: (frames, page) => frames.length > 0 && frames.every(({ file }) => file === page),
    },
  ],
  libraryFiles: nitroLibraries,
  unmappedFiles: nitroUnmapped,
  dataRequests: [
    {
      kind: 'data',
      why: 'Loaders call server functions, which answer below this path. A preload looks the same, in the trace of the page before.',
      matches: url => serverFunction.test(pathOf(url)),
    },
  ],
  unfetched: {
    means: 'nothing',
    why: 'The router calls no server function for data that it has preloaded or that is still fresh.',
  },
  serverWork: 'a server function or a render',
  serverErrorAdvice: 'add the SDK’s middleware in src/start.ts; errors of a render on the server are not sent by it',
}
