import { parseArgs } from 'node:util'
import { readConfig } from '#config.ts'
import { provision } from '#domain/projects/provision.ts'
import { openControl } from '#store/control/open-control.ts'
import { loadSecret } from '#store/control/secret.ts'

export type Provisioned = { organization: string; project: { id: number; slug: string }; dsn: string; token: string }

const options = {
  org: { type: 'string' },
  project: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  key: { type: 'string' },
  'project-id': { type: 'string' },
} as const

/** What `hydrant init` does, with its flags, in this process: starting another one takes longer than the work. */
export async function provisionFor(env: NodeJS.ProcessEnv, flags: string[]): Promise<Provisioned> {
  const { org = '', project = '', email, password, key, 'project-id': id } = parseArgs({ args: flags, options }).values
  const read = readConfig(env)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const control = openControl(read.config)
  try {
    const made = await provision(
      { db: control.db, actor: 'cli', now: Date.now },
      {
        organizationSlug: org,
        owner: email === undefined ? null : { email, password },
        project: { slug: project, publicKey: key, id: id === undefined ? undefined : Number(id) },
        publicUrl: read.config.publicUrl,
        installationSecret: loadSecret(read.config),
      },
    )
    if (!made.ok) throw new Error(made.code)
    return { organization: made.organization.slug, project: made.project, dsn: made.dsn, token: made.token }
  } finally {
    await control.close()
  }
}
