import type { ReactErrorEntry } from '../react-error.ts'

/** Server components, server functions, and what travels between the two sides. */
export const serverErrors: readonly ReactErrorEntry[] = [
  {
    code: 441,
    name: 'An error in a server component',
    means:
      'Something failed while rendering on the server. In production its message stays there, and the browser gets only this.',
    cause: 'Whatever the server’s own error says.',
    next: 'The message and the stack are in the server’s error of the same trace, or the one with the same digest: above, where it has come.',
  },
  {
    code: 412,
    name: 'The connection closed while the page was streaming',
    means: 'The stream that brings server components ended before it was complete.',
    cause: 'The user left the page, a proxy cut a long response, or the server was stopped during a deploy.',
    next: 'If it comes with navigations away, it may be ignored. If it comes in bursts, compare with deploys and with the timeout of the proxy.',
  },
  {
    code: 415,
    name: 'What the server sent could not be read',
    means: 'The answer was not what React expects of server components.',
    cause: 'A proxy or login page answered with HTML; the answer was cut; browser and server run different builds.',
    next: 'Look at the answer of the failing request. Around deploys, keep the old build’s files and reload clients that are behind.',
  },
  {
    code: 373,
    name: 'A hook in a server component',
    means: 'State and effects do not exist on the server.',
    cause: 'A component with useState or useEffect that is imported without "use client".',
    next: 'Put "use client" at the top of the file with the hook, or move the hook into a small client component.',
  },
  {
    code: 374,
    name: 'An event handler was passed to a client component',
    means: 'Functions cannot travel from the server to the browser.',
    cause: 'onClick and its like on an element that a server component renders.',
    next: 'Move the element with its handler into a client component.',
    args: ['Where'],
  },
  {
    code: 375,
    name: 'A function was passed to a client component',
    means: 'Functions cannot travel from the server to the browser unless they are server functions.',
    cause: 'A callback, a render prop or a class in the props of a client component.',
    next: 'Mark it with "use server" if the browser should be able to call it; otherwise move it to the client’s side.',
    args: ['Where'],
  },
  {
    code: 498,
    name: 'A class instance was passed to a client component',
    means: 'Only plain objects and a few built-ins travel from the server to the browser.',
    cause: 'A database row, a decimal, an ObjectId or a date of a library in the props.',
    next: 'Turn it into a plain object or text before passing it on.',
    args: ['Where'],
  },
  {
    code: 482,
    name: 'An async client component',
    means: 'Only server components may be async.',
    cause:
      '"use client" in a module that was written for the server, or an async component imported by a client component.',
    next: 'Fetch in a server component and pass the data down, or read a promise with use().',
  },
  {
    code: 483,
    name: 'A hook in an async component',
    means: 'Hooks do not work in async components.',
    cause: '"use client" in a module that was written for the server.',
    next: 'Split it: an async server component that fetches, a client component that has the hooks.',
  },
  {
    code: 502,
    name: 'A client’s context was read on the server',
    means: 'A context that lives in the browser was read in a server component.',
    cause: 'useContext or use(Context) in a component without "use client".',
    next: 'Read it in a client component, or pass the value as a prop.',
  },
  {
    code: 504,
    name: 'Server and browser run different builds of React',
    means: 'The server answered with a development build’s data, the browser runs production.',
    cause: 'NODE_ENV is not set on the server, or two deployments answer under one address.',
    next: 'Set NODE_ENV=production where the server runs, and check what the load balancer sends where.',
  },
  {
    code: 432,
    name: 'The server gave the render up',
    means: 'A render on the server was aborted without a reason; the browser does the rest.',
    cause: 'A timeout of the server’s own, or a client that went away.',
    next: 'Look for slow data on that route. If the client left, it may be ignored.',
  },
]
