import { cookies } from 'next/headers'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
export const themeCookie = 'hydrant-theme'

/** A cookie instead of local storage, so that the server renders the right theme without JavaScript. */
export async function readTheme(): Promise<Theme> {
  const value = (await cookies()).get(themeCookie)?.value
  return themes.find(theme => theme === value) ?? 'system'
}
