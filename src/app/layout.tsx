import './globals.css'
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { LostNote } from '#ui/send/lost-note.tsx'
import { ZoneProvider } from '#ui/time/zone-provider.tsx'
import { findReportDsn } from '#web/self-report/find-report-dsn.ts'
import { ReportViews } from '#web/self-report/report-views.tsx'
import { ReportWindowErrors } from '#web/self-report/report-window-errors.tsx'
import { readTheme } from '#web/theme.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { findSignedIn } from '#web/viewer.ts'

export const metadata: Metadata = {
  title: { default: 'Hydrant', template: '%s · Hydrant' },
  description: 'Error and performance monitoring for server-rendered React apps',
  robots: { index: false, follow: false },
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1 }

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Only for signed-in users: with this DSN anyone can send events to Hydrant's own project.
  const [theme, times, signedIn] = await Promise.all([readTheme(), readTimeZone(), findSignedIn()])
  const reportDsn = signedIn ? await findReportDsn() : null
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>{reportDsn ? <meta name="hydrant-report-dsn" content={reportDsn} /> : null}</head>
      <body>
        <ZoneProvider zone={times.zone} cookie={times.cookie} isLocal={times.choice === 'local'}>
          {children}
        </ZoneProvider>
        <LostNote />
        {reportDsn ? (
          <>
            <ReportWindowErrors />
            <ReportViews />
          </>
        ) : null}
      </body>
    </html>
  )
}
