import { astro } from './astro.ts'
import type { Framework } from './framework.ts'
import { nextApp } from './next-app.ts'
import { nextPages } from './next-pages.ts'
import { plainSsr } from './plain-ssr.ts'
import { reactRouter } from './react-router.ts'
import { remix } from './remix.ts'
import { tanstackStart } from './tanstack-start.ts'
import { waku } from './waku.ts'

/** All that Hydrant knows. The first that says what something means decides. */
export const frameworks: readonly Framework[] = [
  nextApp,
  nextPages,
  reactRouter,
  remix,
  tanstackStart,
  astro,
  waku,
  plainSsr,
]
