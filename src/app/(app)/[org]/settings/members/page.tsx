import type { Metadata } from 'next'
import { mayDo, mayGrantRole, roles } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { invitationDays, listInvitations } from '#domain/members/invite-member.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams, type Team } from '#domain/members/teams.ts'
import { countCreatedTokens } from '#domain/tokens/list-auth-tokens.ts'
import { formatLeft, formatMoment } from '#ui/format.ts'
import { Section } from '#ui/page-parts.tsx'
import { invitationLink } from '#web/invitation-link.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../../title-for.ts'
import { SettingsBody } from '../settings-body.tsx'
import { TeamForm, TeamTable } from '../team-table.tsx'
import { InvitationForm, InvitationTable } from './invitations.tsx'
import { type MemberRow, MemberRows } from './member-rows.tsx'
import { RoleTable, roleNotes } from './role-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Members')

export default async function MembersPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const { slug, name } = viewer.organization
  const mayInvite = mayDo(viewer.role, 'member.invite')
  const [members, teams] = await Promise.all([listMembers(viewer), listTeams(viewer)])
  const tokens = mayDo(viewer.role, 'member.remove') ? await countCreatedTokens(viewer) : new Map<string, number>()
  const invitations = mayInvite ? await listInvitations(viewer) : []
  const mayWrite = mayDo(viewer.role, 'team.change') && mayDo(viewer.role, 'team.delete')
  return (
    <SettingsBody viewer={viewer} here="Members">
      <Section
        title="Members"
        note={`${members.length === 1 ? 'only you' : members.length}, your role: ${viewer.role}`}
      >
        <MemberRows
          members={members.map(member => rowOf(viewer, member, teams, tokens.get(member.id) ?? 0))}
          organizationSlug={slug}
          organizationName={name}
        />
      </Section>
      {mayInvite ? (
        <Section title="Invitations" note={`links that work once, for ${invitationDays} days; no mail server needed`}>
          <InvitationTable
            organizationSlug={slug}
            invitations={invitations.map(({ id, email, role, invitedBy, expiresAt }) => ({
              id,
              email,
              role,
              invitedBy: invitedBy ?? 'terminal',
              expires: `in ${formatLeft(expiresAt - viewer.now)}`,
              link: mayGrantRole(viewer.role, role) ? invitationLink(id) : null,
            }))}
          />
          <InvitationForm
            organizationSlug={slug}
            roles={roles
              .filter(role => mayGrantRole(viewer.role, role))
              .map(role => ({ name: role, note: roleNotes[role] }))}
            teams={teams.map(team => ({ id: team.id, slug: team.slug }))}
          />
        </Section>
      ) : null}
      <Section title="Teams" note="own projects, and issues can be assigned to them: assigned:#name">
        <TeamTable teams={teams} members={members} organizationSlug={slug} mayWrite={mayWrite} />
        {mayDo(viewer.role, 'team.create') ? <TeamForm organizationSlug={slug} /> : null}
      </Section>
      <Section title="Roles" note="what each can do">
        <RoleTable />
      </Section>
    </SettingsBody>
  )
}

type Member = Awaited<ReturnType<typeof listMembers>>[number]

/** The row offers only what the viewer's role may do with this member. */
function rowOf(viewer: Viewer, member: Member, teams: readonly Team[], tokens: number): MemberRow {
  const { id, name, email, role, joinedAt } = member
  const mayChange = mayDo(viewer.role, 'member.role') && mayGrantRole(viewer.role, role)
  const isMe = id === viewer.user.id
  return {
    id,
    name: name || email,
    email,
    role,
    isMe,
    tokens,
    teams: teams.filter(({ userIds }) => userIds.includes(id)).map(({ slug }) => slug),
    joined: formatMoment(joinedAt).slice(0, 10),
    roles: mayChange ? roles.filter(each => mayGrantRole(viewer.role, each)) : [],
    mayRemove: !isMe && mayDo(viewer.role, 'member.remove') && mayGrantRole(viewer.role, role),
    mayReceive: !isMe && role !== 'owner' && mayDo(viewer.role, 'organization.transfer'),
  }
}
