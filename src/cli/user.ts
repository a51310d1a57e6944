import type { Command } from './command.ts'
import { addUser } from './user-add.ts'
import { listUsers } from './user-list.ts'

export const user: Command = {
  help: `Usage: hydrant user add --email you@acme.dev --role owner|admin|member|viewer [--org acme] [--name …] [--password …]
       hydrant user list [--json]

add   makes the person if need be and adds them to the organisation. Without --password one is made and printed once;
      --password - reads it from standard input. --org may be left out while there is one organisation.
list  prints everybody with their organisations and roles.`,

  async run([verb, ...args], terminal) {
    if (verb === 'add') return addUser(args, terminal)
    if (verb === 'list') return listUsers(args, terminal)
    terminal.complain('Say hydrant user add or hydrant user list; hydrant user --help says more.')
    return 2
  },
}
