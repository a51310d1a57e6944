import type { Framework } from './framework.ts'
import { stars } from './stars.ts'
import { unknown } from './unknown.ts'

/** Apps with their own server: Express, Fastify or Hono with react-dom/server. Their SDKs are those of React and Node. */
export const plainSsr: Framework = {
  ...unknown,
  id: 'plain-ssr',
  name: 'Express, Fastify or Hono with react-dom/server',
  routerOrigin: 'reactrouter_',
  leavesOutStar: true,
  routeSegments: [
    ...stars,
    {
      why: 'Hono writes what a parameter may be in braces, Fastify and Express 4 in parentheses.',
      pattern: /^:([\w-]+)(?:\{[^/]*\}|\([^/]*\))$/,
      spelled: '[$1]',
    },
  ],
}
