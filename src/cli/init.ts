import { type ProvisionInput, provision } from '#domain/projects/provision.ts'
import { loadSecret } from '#store/control/secret.ts'
import type { Command } from './command.ts'
import { readPassword, warnOfPassword } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { describeRefusal, withControl } from './with-control.ts'

const options = {
  org: { type: 'string' },
  project: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  name: { type: 'string' },
  key: { type: 'string' },
  'project-id': { type: 'string' },
  platform: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const init: Command = {
  help: `Usage: hydrant init --org acme --project web --email you@acme.dev --password … [options]

Creates the organization, its owner, the project and a DSN key unless they exist, and prints the DSN and an auth token for
sentry-cli and the bundler plugins. Running it again creates nothing and prints the same. Works before the first start
and while Hydrant is running.

  --org <slug>         the organization
  --project <slug>     the project
  --email <address>    the owner; optional once the organization has members
  --password <text>    the owner's password, at least 8 characters; - reads it from standard input
  --name <text>        the owner's name
  --key <32 hex>       the public key of a DSN that is already in use
  --project-id <n>     the project id of a DSN that is already in use
  --platform <name>    for example javascript-nextjs
  --json               print only {organization, project: {id, slug}, dsn, token}`,

  async run(args, terminal) {
    const parsed = parseOptions(args, options)
    const usage = (message: string) => {
      terminal.printError(`${message} See hydrant init --help.`)
      return 2
    }
    if (!parsed.ok) return usage(parsed.message)
    const { org, project, email, name, platform, key, json, 'project-id': projectId } = parsed.values
    if (org === undefined || project === undefined) return usage('--org and --project are required.')
    if (projectId !== undefined && !/^[1-9]\d{0,15}$/.test(projectId))
      return usage('--project-id must be a whole number above 0.')
    const password = await readPassword(parsed.values.password, terminal)
    return withControl(terminal, async (context, config) => {
      const input: ProvisionInput = {
        organizationSlug: org,
        owner: email === undefined ? null : { email, name, password },
        project: {
          slug: project,
          platform,
          publicKey: key,
          id: projectId === undefined ? undefined : Number(projectId),
        },
        publicUrl: config.publicUrl,
        installationSecret: loadSecret(config),
      }
      const result = await provision(context, input)
      if (!result.ok) {
        terminal.printError(describeRefusal(result.code))
        return 1
      }
      warnOfPassword(password, { email, name }, terminal)
      const { dsn, token, organization } = result
      const created = { organization: organization.slug, project: result.project, dsn, token }
      terminal.print(json ? JSON.stringify(created) : summary(created))
      return 0
    })
  },
}

type InitResult = { organization: string; project: { id: number; slug: string }; dsn: string; token: string }

function summary({ organization, project, dsn, token }: InitResult): string {
  return `DSN           ${dsn}
Organization  ${organization}
Project       ${project.slug} (id ${project.id})
Auth token    ${token}

Pass the DSN to the SDK, and the token as SENTRY_AUTH_TOKEN to sentry-cli or the bundler plugin.`
}
