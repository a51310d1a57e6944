/** How React 18 and 19 say that the browser's tree is not the server's. A new wording is a new line. */
export type HydrationWording = {
  /** What the wording alone tells of the difference. */
  about: 'text' | 'markup' | 'attributes' | 'nesting' | 'early' | 'anything'
  /** The numbers that stand for it in production. */
  codes: readonly number[]
  wordings: readonly RegExp[]
}

export const hydrationWordings: readonly HydrationWording[] = [
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
