import type { BundleFile } from './framework.ts'

/** Files that SDKs in browsers report as the app's, in every framework. */
export const generalLibraries: readonly BundleFile[] = [
  {
    why: 'Installed packages; Vite serves its own copies of them from node_modules/.vite/deps.',
    pattern: /[/\\]node_modules[/\\]/,
  },
]

/** Names that are not files. Grouping already skips such frames. */
export const noFiles: readonly BundleFile[] = [
  {
    why: 'Functions of the engine, and elements and components in the stack of React that have no position.',
    pattern: /^(?:<anonymous>|\[native code\]|native code|index \d+)$/,
  },
]
