import { cacheLast } from '#lib/cache-last.ts'
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { readReactError } from '../react-errors/react-error.ts'

export type HydrationError = {
  about: HydrationWording['about']
  /** React's error code, if the message was minified. */
  code: number | null
}

/** Chars. React's message comes first; the rest is a diff or a component stack. */
const headChars = 400

/** Parses React's message about a hydration mismatch; null for any other message. */
export const readHydration = cacheLast((message: string): Readonly<HydrationError> | null => {
  const minified = readReactError(message.slice(0, headChars))
  if (minified !== null) {
    const known = hydrationWordings.find(({ codes }) => codes.includes(minified.code))
    if (known === undefined) return null
    return { about: aboutArg(minified.args[0]) ?? known.about, code: minified.code }
  }
  const head = message
    .slice(0, headChars)
    .replace(/^Uncaught /, '')
    .replace(/^Error: /, '')
  const known = hydrationWordings.find(({ wordings }) => wordings.some(wording => wording.test(head)))
  return known === undefined ? null : { about: known.about, code: null }
})

/** React 19 passes `text` or `HTML` as an argument. */
function aboutArg(arg: string | undefined): HydrationWording['about'] | null {
  if (arg === 'text') return 'text'
  return arg === 'HTML' ? 'markup' : null
}

const hydrationContextName = 'hydrant_hydration'

/** The first difference, as the server sent it and as React rendered it; attached to the event by the hydration helper. */
export type HydrationFragments = {
  server: string
  client: string
  /** The path to the difference: `body > main > p`. */
  path: string
}

/** Null without the hydration helper, or if it found no difference. */
export function readFragments(event: StoredEvent): HydrationFragments | null {
  const context = event.contexts[hydrationContextName]
  if (context === undefined) return null
  const [server, client] = [textOf(context.server), textOf(context.client)]
  return server === client ? null : { server, client, path: textOf(context.path) }
}

type HydrationWording = {
  /** The kind of difference, as far as the message says. */
  about: 'text' | 'markup' | 'attributes' | 'nesting' | 'early' | 'anything'
  /** The error codes of production builds. */
  codes: readonly number[]
  wordings: readonly RegExp[]
}

/** Messages of React 18 and 19 about a mismatch between server and browser. */
const hydrationWordings: readonly HydrationWording[] = [
  {
    about: 'nesting',
    codes: [],
    wordings: [
      /^In HTML, .{1,200} cannot be a (?:descendant|child) of /s,
      /^In HTML, text nodes cannot be a child of /,
      /^<[\w-]{1,60}> cannot contain a nested /,
      /^(?:Warning: )?validateDOMNesting\(/,
    ],
  },
  {
    about: 'text',
    codes: [425],
    wordings: [
      /^Text content does not match server-rendered HTML/,
      /^(?:Warning: )?Text content did not match\. Server: /,
      /^Hydration failed because the server rendered text didn't match the client/,
    ],
  },
  {
    about: 'attributes',
    codes: [],
    wordings: [
      /^A tree hydrated but some attributes of the server rendered HTML didn't match the client properties/,
      /^(?:Warning: )?Prop `.{1,100}` did not match\. Server: /s,
      /^(?:Warning: )?Extra attributes from the server: /,
    ],
  },
  {
    about: 'markup',
    codes: [],
    wordings: [
      /^Hydration failed because the server rendered HTML didn't match the client/,
      /^Hydration failed because the initial UI does not match/,
      /^(?:Warning: )?Expected server HTML to contain a matching /,
      /^(?:Warning: )?Did not expect server HTML to contain /,
    ],
  },
  {
    about: 'early',
    codes: [421, 424],
    wordings: [
      /^This Suspense boundary received an update before it finished hydrating/,
      /^This root received an early update, before anything was able hydrate/,
    ],
  },
  {
    about: 'anything',
    codes: [418, 422, 423],
    wordings: [
      /^Hydration failed because /,
      /^There was an error while hydrating/,
      /^An error occurred during hydration\. The server HTML was replaced/,
    ],
  },
]
