import type { ReactNode } from 'react'
import { may } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { Link } from '#ui/link.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import styles from './settings.module.css'

type Page = 'General' | 'Members' | 'Channels' | 'Tokens' | 'Privacy' | 'Audit log'

type Props = { viewer: Viewer; here: Page; actions?: ReactNode; children: ReactNode }

/** A page of the settings beside the list of all of them. A role doesn't see pages that it may not open. */
export function SettingsBody({ viewer, here, actions, children }: Props) {
  const base = `/${viewer.organization.slug}/settings`
  const pages: { label: Page; href: string }[] = [
    { label: 'General', href: base },
    { label: 'Members', href: `${base}/members` },
    { label: 'Channels', href: `${base}/channels` },
    { label: 'Tokens', href: `${base}/tokens` },
    { label: 'Privacy', href: `${base}/privacy` },
    ...(may(viewer.role, 'audit:read') ? [{ label: 'Audit log' as const, href: `${base}/audit` }] : []),
  ]
  return (
    <>
      <TopBar actions={actions}>
        <h1>{here === 'General' ? 'Settings' : here}</h1>
        <span className="t3">{viewer.organization.name}</span>
      </TopBar>
      <div className={styles.body}>
        <nav className={styles.nav} aria-label="Settings">
          {pages.map(({ label, href }) => (
            <Link key={href} href={href} aria-current={label === here ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="page-body">{children}</div>
      </div>
    </>
  )
}
