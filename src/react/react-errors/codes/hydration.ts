import type { ReactErrorEntry } from '../react-error.ts'

export const hydrationErrors: readonly ReactErrorEntry[] = [
  {
    code: 418,
    name: 'The server’s HTML and the first render in the browser differ',
    means:
      'React found something else in the page than it was about to render, threw the server’s part away and rendered it again in the browser.',
    cause:
      'A value that differs between the two renders: the time, a random number, a locale or time zone, localStorage, a check for window. Or HTML that the browser corrects, such as a div inside a p. Or an extension that changed the page.',
    next: 'Find what differs with a development build, which shows both sides. Render such values after mounting (useEffect), or pass them down from the server. If the page is right except for one text, suppressHydrationWarning on that element is enough.',
    args: ['What differed'],
  },
  {
    code: 419,
    name: 'The server could not finish a Suspense boundary',
    means:
      'Something inside a Suspense boundary failed or was aborted on the server; the browser renders that part instead.',
    cause:
      'An error in a component or in its data on the server. The error itself was reported there, with the same trace.',
    next: 'Look at the server’s error of the same trace: this one is only its echo. Where a part cannot render on a server at all, throwing there on purpose is fine, and this may be ignored.',
  },
  {
    code: 421,
    name: 'An update came before a Suspense boundary was hydrated',
    means:
      'State changed above a boundary whose HTML was not yet live, so React gave the server’s HTML up and rendered the part again.',
    cause: 'A state update in an effect right after mounting, or a store that changes during hydration.',
    next: 'Wrap the update in startTransition, so that it waits for hydration; or keep the first state equal to the server’s.',
  },
  {
    code: 422,
    name: 'A Suspense boundary failed to hydrate and was rendered again',
    means:
      'An error happened while a boundary was made live. React recovered by rendering the part in the browser from nothing.',
    cause: 'A mismatch, or a component that throws only on its first render in the browser.',
    next: 'Look for the error that was reported just before in the same page view: it names the component.',
  },
  {
    code: 423,
    name: 'The whole page failed to hydrate and was rendered again',
    means:
      'An error outside of every Suspense boundary made React throw all of the server’s HTML away. The user saw the page twice.',
    cause:
      'A mismatch near the root: html, body or a provider around the whole app; a script or extension that changes the page before React runs.',
    next: 'Fix the error that came just before. Suspense boundaries around parts of the page keep a mistake in one of them from costing all.',
  },
  {
    code: 424,
    name: 'The root was updated before anything was hydrated',
    means: 'root.render ran again before the first hydration had begun, so the server’s HTML was not used.',
    cause: 'hydrateRoot is followed at once by render on the same root, often in an entry file that runs twice.',
    next: 'Hydrate once, and change what is shown through state inside the tree.',
  },
  {
    code: 425,
    name: 'A text differs from the server’s',
    means: 'The text of an element was not what the server had written (React 18; React 19 says 418).',
    cause: 'Dates, numbers and currencies formatted in another locale or time zone, relative times, random values.',
    next: 'Format with a fixed locale and time zone on both sides, or render the text after mounting. For a time that is meant to differ, suppressHydrationWarning on that element.',
  },
  {
    code: 407,
    name: 'useSyncExternalStore has no snapshot for the server',
    means:
      'A store was read while rendering on the server, and nobody said what it holds there; the part is rendered in the browser.',
    cause:
      'A call of useSyncExternalStore with two arguments, often inside a state library that is older than server rendering.',
    next: 'Pass a third argument that gives the value for the server and for the first render, or update the library.',
  },
  {
    code: 408,
    name: 'useSyncExternalStore has no snapshot for the server',
    means:
      'The same as 407, where there is no boundary that could be rendered in the browser instead: the render failed.',
    cause: 'A call of useSyncExternalStore with two arguments, outside of any Suspense boundary.',
    next: 'Pass a third argument that gives the value for the server, or update the library that calls it.',
  },
  {
    code: 405,
    name: 'hydrateRoot was given no element',
    means: 'The container for the app was not in the page when the script ran.',
    cause: 'Another id than the server writes, or a script that runs before the body is parsed.',
    next: 'Check the id, and load the script with defer or as a module.',
  },
  {
    code: 436,
    name: 'One stylesheet is in the page twice',
    means: 'While hydrating, React found two link elements for the same stylesheet and cannot tell which is its own.',
    cause: 'A stylesheet with precedence that is rendered in two places, or injected by something else as well.',
    next: 'Render each stylesheet once, or take the other one out.',
    args: ['Stylesheet'],
  },
]
