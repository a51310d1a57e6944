import type { AuthToken } from '#queries/list-auth-tokens.ts'
import { Ago } from '#ui/ago.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { shorten } from '#ui/shorten.ts'
import { RevokeButton } from './revoke-button.tsx'

type Props = { tokens: AuthToken[]; organizationSlug: string; now: number }

export function TokenTable({ tokens, organizationSlug, now }: Props) {
  return (
    <ScrollRegion className="tb-scroll" label="Tokens">
      <table className="tb">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Token</th>
            <th scope="col">May</th>
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(token => (
            <tr key={token.id}>
              <td className="strong">{shorten(token.name, 60)}</td>
              <td className="mono t2">sntrys_…{token.hint}</td>
              <td className="mono t2">{token.scopes.join(' ')}</td>
              <td className="t2">
                <Ago at={token.createdAt} now={now} />
                {token.maker === null ? null : ` by ${shorten(token.maker, 40)}`}
              </td>
              <td className="t2">{token.lastUsedAt === null ? 'never' : <Ago at={token.lastUsedAt} now={now} />}</td>
              <td>
                <span className="flex justify-end">
                  <RevokeButton tokenId={token.id} name={token.name} organizationSlug={organizationSlug} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
