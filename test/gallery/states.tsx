import type { ElementType, ReactNode } from 'react'

/** A component with each of its states, by name. `row`: small enough to stand beside each other. */
export type Exhibit = {
  name: string
  component: ElementType
  states: Readonly<Record<string, ReactNode>>
  look: 'row' | 'block'
}
/** The components of a folder of `src/`. */
export type Room = { folder: string; exhibits: readonly Exhibit[] }

export const exhibit = (
  name: string,
  component: ElementType,
  states: Exhibit['states'],
  look: Exhibit['look'] = 'block',
): Exhibit => ({ name, component, states, look })

/** The anchor of a component on the page. */
export const anchorOf = ({ folder }: Room, { name }: Exhibit): string => `${folder}/${name}`
