/** The server that bundles TanStack Start, and other frameworks that are built with Vite. */
import type { BundleFile, UnmappedFile } from './framework.ts'

export const nitroLibraries: readonly BundleFile[] = [
  {
    why: 'Nitro puts each package that it bundles into a file of this folder.',
    pattern: /[/\\]\.output[/\\]server[/\\]_libs[/\\]/,
  },
  {
    why: 'The router and the server of the framework; routes and server functions of the app are in other files beside it.',
    pattern: /[/\\]\.output[/\\]server[/\\]_ssr[/\\]ssr\.mjs$/,
  },
]

export const nitroUnmapped: readonly UnmappedFile[] = [
  {
    why: 'Nitro 3 bundles what Vite has bundled, and its source maps, off by default, end at the first bundle.',
    pattern: /[/\\]\.output[/\\]server[/\\]/,
    advice:
      'Nitro bundles the server a second time, and its source maps lead only to the first bundle. The names are those of your code, the lines those of the bundle.',
  },
]
