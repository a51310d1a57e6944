import type { ReactErrorEntry } from '../react-error.ts'

export const hookErrors: readonly ReactErrorEntry[] = [
  {
    code: 300,
    name: 'Fewer hooks than in the render before',
    means: 'A component called fewer hooks this time, so React cannot tell which state belongs to which.',
    cause: 'A return or a condition above a hook.',
    next: 'Move every hook above the first return. The lint rule rules-of-hooks finds the place.',
  },
  {
    code: 310,
    name: 'More hooks than in the render before',
    means: 'A component called more hooks this time, so React cannot tell which state belongs to which.',
    cause:
      'A hook inside a condition or loop, or below an early return that was taken the first time (while data was loading, say).',
    next: 'Call hooks first and decide afterwards; or move the part that needs them into a component of its own.',
  },
  {
    code: 311,
    name: 'Hooks are called in another order',
    means: 'A hook found the state of another one in its place.',
    cause: 'A hook that is called in some renders only.',
    next: 'Call all hooks unconditionally, at the top of the component.',
  },
  {
    code: 321,
    name: 'A hook was called outside of a component',
    means: 'There was no component being rendered that the hook could belong to.',
    cause:
      'A hook in an event handler, in a plain function or at the top of a module; or two copies of React in one bundle, where a library brings its own.',
    next: 'If the call is inside a component, look for a second React: npm ls react. Make it a peer dependency of the library, or alias both to one.',
  },
  {
    code: 301,
    name: 'A component sets state while rendering, without end',
    means: 'Each render caused the next one, and React stopped after some dozens.',
    cause: 'setState in the body of a component, often by onClick={save()} instead of onClick={save}.',
    next: 'Pass the function instead of calling it. State that follows from props is computed, or set under a condition that becomes false.',
  },
  {
    code: 185,
    name: 'Updates cause each other without end',
    means: 'An effect or a callback ref set state again and again, and React stopped it.',
    cause:
      'An effect whose dependencies are new objects or functions in each render, or that sets what it depends on; two effects that answer each other.',
    next: 'See which effect sets state in the component at the top of the stack. Keep its dependencies stable (useMemo, useCallback, a value instead of an object), or compute instead of setting.',
  },
  {
    code: 433,
    name: 'useId outside of a render',
    means: 'useId was called when React was not rendering.',
    cause: 'A call in an event handler, in an effect, or in code that is not a component.',
    next: 'Call it at the top of the component and use the value where it is needed.',
  },
  {
    code: 438,
    name: 'use() was given something it cannot wait for',
    means: 'use() takes a promise or a context, and got neither.',
    cause: 'The result of an awaited call instead of the promise, or undefined because a prop was not passed.',
    next: 'Pass the promise itself, made outside of the component that reads it.',
    args: ['What it got'],
  },
  {
    code: 440,
    name: 'An effect event was called while rendering',
    means: 'A function from useEffectEvent ran during a render. It may only run inside effects.',
    cause: 'The function is passed as a prop or called in the component’s body.',
    next: 'Call it from an effect; for handlers of the user’s events use a plain function.',
  },
  {
    code: 460,
    name: 'use() inside try and catch',
    means: 'React interrupts a render by throwing, and a catch took that for an error.',
    cause: 'use() is called inside try, or inside something that catches.',
    next: 'Move use() out of the try. Errors of the promise go to the nearest error boundary, or into its own .catch.',
  },
  {
    code: 479,
    name: 'Optimistic state was set while rendering',
    means: 'The setter of useOptimistic ran during a render.',
    cause: 'The setter is called in the body of a component instead of in an action.',
    next: 'Call it inside an action or inside startTransition.',
  },
]
