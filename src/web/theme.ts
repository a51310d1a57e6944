import { cookies } from 'next/headers'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
export const themeCookie = 'hydrant-theme'

/** A cookie, not local storage: the server draws the right colors at once, without a script that could be blocked. */
export async function readTheme(): Promise<Theme> {
  const value = (await cookies()).get(themeCookie)?.value
  return themes.find(theme => theme === value) ?? 'system'
}
