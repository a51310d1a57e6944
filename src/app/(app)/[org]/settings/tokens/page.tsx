import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { listAuthTokens } from '#domain/tokens/list-auth-tokens.ts'
import { tokenScopes } from '#domain/tokens/token-scopes.ts'
import { Section } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../../title-for.ts'
import { SettingsBody } from '../settings-body.tsx'
import { TokenForm } from './token-form.tsx'
import { TokenTable } from './token-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Tokens')

export default async function TokensPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const mayWrite = mayDo(viewer.role, 'token.create')
  const tokens = await listAuthTokens(viewer, mayWrite ? 'organization' : 'me')
  const scopes = Object.entries(tokenScopes).map(([name, { description }]) => ({
    name,
    description,
    isUsual: name === (mayWrite ? 'org:ci' : 'event:read'),
  }))
  return (
    <SettingsBody viewer={viewer} here="Tokens">
      <TokenTable tokens={tokens} organizationSlug={slug} now={viewer.now} mayRevokeAll={mayWrite} />
      <Section title="New token" note="shown once, stored as a hash">
        <TokenForm organizationSlug={slug} scopes={scopes} mayShare={mayWrite} />
      </Section>
    </SettingsBody>
  )
}
