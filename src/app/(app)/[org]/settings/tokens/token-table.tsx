'use client'
import type { AuthToken } from '#domain/tokens/list-auth-tokens.ts'
import { Blank } from '#ui/blank.tsx'
import { ConfirmButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { formatLeft } from '#ui/format.ts'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { revokeToken } from './actions.ts'

type Props = {
  tokens: AuthToken[]
  organizationSlug: string
  now: number
  /** Otherwise all of them are the viewer's own. */
  mayRevokeAll: boolean
}

/** The toast is rendered here, because the row of a revoked token is gone. */
export function TokenTable(props: Props) {
  const [state, revoke] = useAction(revokeToken, idle)
  return (
    <>
      {props.tokens.length === 0 ? <NoToken title="No tokens yet" /> : <TokenRows {...props} revoke={revoke} />}
      <ActionToast state={state} />
    </>
  )
}

function NoToken({ title }: { title: string }) {
  return (
    <div className="pane">
      <Blank title={title}>
        Builds, sentry-cli and agents access this organization with a token. It contains this server’s URL, so
        sentry-cli doesn’t need SENTRY_URL.
      </Blank>
    </div>
  )
}

function TokenRows({
  tokens,
  organizationSlug,
  now,
  mayRevokeAll,
  revoke,
}: Props & { revoke: (form: FormData) => void }) {
  return (
    <DataTable
      label="Tokens"
      columns={[
        'Name',
        'Token',
        'Kind',
        'Scopes',
        'Created',
        'Last used',
        'Expires',
        { label: 'Actions', isHidden: true },
      ]}
    >
      {tokens.map(token => (
        <tr key={token.id}>
          <td className="strong">{shorten(token.name, 60)}</td>
          <td className="mono t2">
            {token.isPersonal ? 'sntryu_' : 'sntrys_'}…{token.hint}
          </td>
          <td className="t2">
            {token.isPersonal ? 'personal' : token.seesPrivate ? 'organization, private projects' : 'organization'}
          </td>
          <td className="mono t2">{token.scopes.join(' ')}</td>
          <td className="t2">
            <Ago at={token.createdAt} now={now} />
            {token.createdBy === null ? null : ` by ${shorten(token.createdBy, 40)}`}
          </td>
          <td className="t2">{token.lastUsedAt === null ? 'never' : <Ago at={token.lastUsedAt} now={now} />}</td>
          <td className={token.isExpired || token.secondFactorDue !== null ? 'meh prose' : 't2'}>
            {describeEnd(token, now)}
          </td>
          <td>
            <span className="row-acts">
              <RevokeButton
                tokenId={token.id}
                name={shorten(token.name, 60)}
                isOwn={!mayRevokeAll}
                {...{ organizationSlug, revoke }}
              />
            </span>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

/** Whatever comes first. */
function describeEnd({ expiresAt, isExpired, secondFactorDue }: AuthToken, now: number): string {
  if (isExpired) return 'expired'
  if (secondFactorDue !== null && secondFactorDue < now) return 'needs a second factor of its owner'
  if (secondFactorDue !== null && secondFactorDue < (expiresAt ?? Number.POSITIVE_INFINITY))
    return `in ${formatLeft(secondFactorDue - now)}, without a second factor of its owner`
  return expiresAt === null ? 'never' : `in ${formatLeft(expiresAt - now)}`
}

type RevokeButtonProps = {
  tokenId: number
  name: string
  isOwn: boolean
  organizationSlug: string
  revoke: (form: FormData) => void
}

/** Asks for confirmation, because builds that use the token fail from then on. */
function RevokeButton({ tokenId, name, isOwn, organizationSlug, revoke }: RevokeButtonProps) {
  return (
    <ActionForm action={revoke}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="token" value={tokenId} />
      {isOwn ? <input type="hidden" name="own" value="on" /> : null}
      <ConfirmButton
        className="btn s danger"
        label={`Revoke ${name}`}
        query={`Revoke token ${name}?`}
        effect="Builds and scripts that use it are rejected from now on. A revoked token can't be restored."
        verb="Revoke token"
      >
        Revoke
      </ConfirmButton>
    </ActionForm>
  )
}
