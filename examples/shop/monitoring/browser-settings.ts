import type { MonitoringSettings } from './settings.ts'

/**
 * The layout writes the settings on the html element, the one place that is parsed before any script can run.
 * An app whose DSN is known at build time needs only `dsn: process.env.NEXT_PUBLIC_HYDRANT_DSN`.
 */
export function readBrowserSettings(): MonitoringSettings {
  return JSON.parse(document.documentElement.dataset.monitoring ?? '{}')
}
