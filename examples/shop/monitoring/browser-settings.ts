import type { MonitoringSettings } from './settings.ts'
import { settingsCookie } from './settings-cookie.ts'

/** What proxy.ts has put into the cookie; without one the SDK stays silent. */
export function readBrowserSettings(): Partial<MonitoringSettings> {
  const cookies = document.cookie.split('; ')
  const settings = cookies.find(cookie => cookie.startsWith(`${settingsCookie}=`))
  return settings ? JSON.parse(decodeURIComponent(settings.slice(settingsCookie.length + 1))) : {}
}
