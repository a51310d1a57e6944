import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { listAuthTokens } from '#domain/tokens/list-auth-tokens.ts'
import { tokenScopes } from '#domain/tokens/token-scopes.ts'
import { Section } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { SettingsBody } from '../settings-body.tsx'
import { TokenForm } from './token-form.tsx'
import { NoToken, TokenTable } from './token-table.tsx'

export const metadata: Metadata = { title: 'Tokens' }

export default async function TokensPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const mayWrite = mayDo(viewer.role, 'token.create')
  const tokens = mayWrite ? await listAuthTokens(viewer) : []
  const scopes = Object.entries(tokenScopes).map(([name, { description }]) => ({
    name,
    description,
    isUsual: name === 'org:ci',
  }))
  return (
    <SettingsBody viewer={viewer} here="Tokens">
      {mayWrite ? (
        <TokenTable tokens={tokens} organizationSlug={slug} now={viewer.now} />
      ) : (
        <NoToken title="Only owners and admins can manage tokens" />
      )}
      {mayWrite ? (
        <Section title="New token" note="shown once, stored as a hash">
          <TokenForm organizationSlug={slug} scopes={scopes} />
        </Section>
      ) : null}
    </SettingsBody>
  )
}
