/** Organizations, their members, teams, invitations and tokens, and the audit log. */
import type { Generated } from 'kysely'

export type MemberRole = 'owner' | 'admin' | 'member' | 'viewer'
type Flag = 0 | 1

export type AccountSchema = {
  organization: {
    id: Generated<number>
    slug: string
    name: string
    created_at: number
    /** Since when members need a second factor; null if they do not. */
    two_factor_from: Generated<number | null>
  }
  team: { id: Generated<number>; organization_id: number; slug: string; name: string; created_at: number }
  team_member: { team_id: number; user_id: string }
  member: {
    organization_id: number
    user_id: string
    role: MemberRole
    created_at: number
    /** `sso` if groups of the identity provider decide the role and the membership, else empty. */
    granted_by: Generated<string>
  }
  /** Its link is derived from the id and the installation's secret; only the hash of the token is stored. */
  invitation: {
    id: string
    organization_id: number
    token_hash: string
    /** Empty for an invitation of whoever has the link. */
    email: string
    role: MemberRole
    /** JSON list of the teams to join. */
    team_ids: string
    /** Null if it was made in the terminal. */
    invited_by: string | null
    created_at: number
    expires_at: number
    accepted_by: string | null
    accepted_at: number | null
    revoked_at: number | null
  }
  /** The teams that own a project. */
  project_access: { project_id: number; team_id: number }
  auth_token: {
    id: Generated<number>
    organization_id: number
    name: string
    token_hash: string
    token_hint: string
    scopes: string
    created_by: string | null
    created_at: number
    last_used_at: number | null
    revoked_at: number | null
    nonce: Generated<string>
    /** A personal token: it does what this member may do. Null for a token of the organization. */
    user_id: Generated<string | null>
    expires_at: Generated<number | null>
    /** Whether a token of the organization sees private projects. */
    sees_private: Generated<Flag>
  }
  audit: {
    id: Generated<number>
    organization_id: number | null
    actor: string
    action: string
    target: string
    detail: string
    at: number
    /** Names at the time of the change. */
    actor_label: Generated<string>
    target_label: Generated<string>
    address: Generated<string>
    agent: Generated<string>
    /** JSON objects, or empty. */
    before: Generated<string>
    after: Generated<string>
    /** Empty once the personal fields are erased. */
    salt: Generated<string>
    /** Salted digest of the personal fields, which the hash covers in their place. */
    digest: Generated<string>
    hash: Generated<string>
    /** In the chain of the organization, from 1; null for entries from before the chain. */
    position: Generated<number | null>
  }
  /** The last position and hash of each organization's chain; 0 is that of the installation. */
  audit_chain: { organization_id: number; position: number; hash: string }
}
