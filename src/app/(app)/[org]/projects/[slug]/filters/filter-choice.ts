/** The modes of a filter, as they appear in URLs and forms. */
export const filterChoices = [
  { choice: 'on', label: 'Drop' },
  { choice: 'sample-100', label: 'Keep 1 in 100' },
  { choice: 'sample-10', label: 'Keep 1 in 10' },
  { choice: 'off', label: 'Keep all' },
] as const

export type FilterChoice = (typeof filterChoices)[number]['choice']
type Mode = { mode: 'on' | 'off' | 'sample'; keepOneIn: number }

/** Null for an unknown choice. */
export function readFilterChoice(text: unknown): FilterChoice | null {
  return filterChoices.find(({ choice }) => choice === text)?.choice ?? null
}

export function modeOf(choice: FilterChoice): Mode {
  if (choice === 'on' || choice === 'off') return { mode: choice, keepOneIn: 1 }
  return { mode: 'sample', keepOneIn: choice === 'sample-10' ? 10 : 100 }
}

export function choiceOf({ mode, keepOneIn }: Mode): FilterChoice {
  if (mode !== 'sample') return mode
  return keepOneIn > 10 ? 'sample-100' : 'sample-10'
}

export const labelOf = (choice: FilterChoice): string =>
  filterChoices.find(each => each.choice === choice)?.label ?? choice
