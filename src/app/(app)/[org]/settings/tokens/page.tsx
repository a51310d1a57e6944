import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { listAuthTokens } from '#domain/tokens/list-auth-tokens.ts'
import { tokenScopes } from '#domain/tokens/token-scopes.ts'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../../title-for.ts'
import { TokenForm } from './token-form.tsx'
import { NoToken, TokenTable } from './token-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Tokens')

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
    <>
      <TopBar>
        <h1 className="sr">Tokens</h1>
        <Trail stops={[{ href: `/${slug}/settings`, label: 'Settings' }]} here="Tokens" />
      </TopBar>
      <div className="page-body">
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
      </div>
    </>
  )
}
