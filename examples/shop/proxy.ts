import { type NextRequest, NextResponse } from 'next/server'
import { readMonitoringSettings } from './monitoring/settings.ts'
import { settingsCookie } from './monitoring/settings-cookie.ts'

/**
 * Hands the browser its monitoring settings with every page, prerendered and failing ones included.
 * An app whose DSN is known at build time writes it into instrumentation-client.ts and needs none of this.
 */
export function proxy(_request: NextRequest) {
  const response = NextResponse.next()
  response.cookies.set(settingsCookie, JSON.stringify(readMonitoringSettings()), { sameSite: 'strict' })
  return response
}

// Telemetry must reach the rewrite untouched: a proxy that signs in, redirects or traces it would lose or multiply it.
export const config = { matcher: '/((?!monitoring|hydrant-hydration|_next/static|_next/image|favicon.ico).*)' }
