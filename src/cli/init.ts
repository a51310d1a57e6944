import { type ProvisionInput, provision } from '#domain/projects/provision.ts'
import { loadSecret } from '#store/control/secret.ts'
import type { Command } from './command.ts'
import { readPassword } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { refusalSentence, withControl } from './with-control.ts'

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

Makes the organization, its owner, the project and a key where they are missing, and prints the DSN and an auth token for
sentry-cli and the bundler plugins. Running it again makes nothing twice and prints the same. It works before the
first start and while Hydrant runs.

  --org <slug>         the organization
  --project <slug>     the project
  --email <address>    the owner; may be left out once the organization has members
  --password <text>    the owner's password, at least 8 characters; - reads it from standard input
  --name <text>        the owner's name
  --key <32 hex>       the public key of a DSN that is in use already
  --project-id <n>     the project id of a DSN that is in use already
  --platform <name>    for example javascript-nextjs
  --json               print {organization, project: {id, slug}, dsn, token} and nothing else`,

  async run(args, terminal) {
    const parsed = parseOptions(args, options)
    const usage = (message: string) => {
      terminal.complain(`${message} See hydrant init --help.`)
      return 2
    }
    if (!parsed.ok) return usage(parsed.message)
    const { org, project, email, name, platform, key, json, 'project-id': projectId } = parsed.values
    if (org === undefined || project === undefined) return usage('--org and --project are needed.')
    if (projectId !== undefined && !/^[1-9]\d{0,15}$/.test(projectId))
      return usage('--project-id is a whole number above 0.')
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
        terminal.complain(refusalSentence(result.code))
        return 1
      }
      const { dsn, token, organization } = result
      const answer = { organization: organization.slug, project: result.project, dsn, token }
      terminal.print(json ? JSON.stringify(answer) : summary(answer))
      return 0
    })
  },
}

type Answer = { organization: string; project: { id: number; slug: string }; dsn: string; token: string }

function summary({ organization, project, dsn, token }: Answer): string {
  return `DSN           ${dsn}
Organization  ${organization}
Project       ${project.slug} (id ${project.id})
Auth token    ${token}

Give the DSN to the SDK, and the token to sentry-cli or the bundler plugin as SENTRY_AUTH_TOKEN.`
}
