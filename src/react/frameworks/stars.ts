import type { RouteSegment } from './framework.ts'

/** The rest of a path in React Router, Remix, Express, Fastify and Hono. */
export const stars: readonly RouteSegment[] = [
  {
    why: 'A star matches the rest of the path; the browser SDK of Remix writes it as a parameter.',
    pattern: /^:?\*$/,
    spelled: '[...]',
  },
  { why: 'Express names the star, and may make it optional.', pattern: /^\{?\*([\w-]+)\}?$/, spelled: '[...$1]' },
]
