/** How a number can be compared, as the editor offers it. */
export const comparisons = [
  { id: 'above', label: 'is above', compare: 'value', direction: 'above' },
  { id: 'below', label: 'is below', compare: 'value', direction: 'below' },
  { id: 'above-usual', label: 'is above the usual, by spreads', compare: 'usual', direction: 'above' },
  { id: 'below-usual', label: 'is below the usual, by spreads', compare: 'usual', direction: 'below' },
  { id: 'worse', label: 'is above the previous release, by %', compare: 'previous-release', direction: 'above' },
  { id: 'less', label: 'is below the previous release, by %', compare: 'previous-release', direction: 'below' },
] as const
