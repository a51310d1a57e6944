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
    why: 'Nitro writes no source maps of the server by default.',
    pattern: /[/\\]\.output[/\\]server[/\\]/,
    advice:
      'Nitro writes no source maps of the server by default: set its option sourcemap to true, and upload .output/server.',
  },
]
