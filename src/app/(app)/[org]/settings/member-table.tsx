import type { listMembers } from '#queries/list-members.ts'

export function MemberTable({ members }: { members: Awaited<ReturnType<typeof listMembers>> }) {
  return (
    <div className="tb-scroll">
      <table className="tb">
        <caption className="sr">Members and their roles</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Mail address</th>
            <th scope="col">Role</th>
          </tr>
        </thead>
        <tbody>
          {members.map(member => (
            <tr key={member.id}>
              <td className="strong">{member.name}</td>
              <td className="t2">{member.email}</td>
              <td>{member.role}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
