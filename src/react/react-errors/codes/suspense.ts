import type { ReactErrorEntry } from '../react-error.ts'

export const suspenseErrors: readonly ReactErrorEntry[] = [
  {
    code: 426,
    name: 'A component suspended on a synchronous update',
    means: 'What the user just did would replace what they see by a loading state.',
    cause: 'A lazy component or data that is not there yet, shown by a plain setState or by typing.',
    next: 'Wrap the update in startTransition, or use useDeferredValue, so that the old view stays until the new one is ready.',
  },
  {
    code: 342,
    name: 'A component suspended and nobody shows a fallback',
    means: 'There is no Suspense boundary above the component (React 17 and older).',
    cause: 'A lazy component or a suspending data library without a boundary.',
    next: 'Put <Suspense fallback={…}> above it.',
  },
  {
    code: 411,
    name: 'A component suspended and nobody shows a fallback',
    means: 'There is no Suspense boundary above the component.',
    cause: 'A lazy component or a suspending data library without a boundary.',
    next: 'Put <Suspense fallback={…}> above it.',
    args: ['Component'],
  },
  {
    code: 505,
    name: 'React.Children met something that is not there yet',
    means: 'Children that are async or lazy cannot be counted or mapped.',
    cause: 'React.Children or cloneElement over children that a server component passed in.',
    next: 'Render children as they are, or pass a list of data instead.',
  },
]
