import '../../../../src/app/globals.css'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'

type Props = { children: ReactNode; params: Promise<{ theme: string }> }

export default async function ThemeLayout({ children, params }: Props) {
  const { theme } = await params
  if (theme !== 'light' && theme !== 'dark') notFound()
  return (
    <html lang="en" data-theme={theme}>
      <body>{children}</body>
    </html>
  )
}
