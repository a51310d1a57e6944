/** The only reader of the environment. Reports all wrong variables at once, each by name. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isAllowEntry } from '#lib/outbound/allow-list.ts'
import { isPeerEntry } from '#lib/peer-list.ts'
import { findSlugFault } from '#lib/slug.ts'
import { trimEndOf } from '#lib/text.ts'

const MiB = 1024 * 1024

const integer = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)
/** Entries separated by commas. */
const list = () =>
  z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(part => part.trim())
        .filter(Boolean),
    )
const slug = (kind: 'organization' | 'project', fallback: string) =>
  z
    .string()
    .refine(text => findSlugFault(text, kind) === null, 'must be a slug: lowercase letters, digits and hyphens')
    .default(fallback)
const roles = ['viewer', 'member', 'admin', 'owner'] as const
const switchOn = z.enum(['on', 'off']).default('on')

const isRole = (text: string | undefined): text is (typeof roles)[number] => roles.some(role => role === text)

/** Uses the names of the variables, so that a test can compare them with docs/settings.md. */
const schema = z.object({
  PORT: integer(8000, 1, 65_535),
  HYDRANT_HOST: z.string().min(1).default('::'),
  HYDRANT_URL: z.url({ protocol: /^https?$/ }).optional(),
  HYDRANT_DATA_DIR: z.string().min(1).default('./data'),
  HYDRANT_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  /** The first owner, for installations without a terminal. Without them, the log has a link to the setup page. */
  HYDRANT_OWNER_EMAIL: z.email().max(254).optional(),
  HYDRANT_OWNER_PASSWORD: z.string().optional(),
  HYDRANT_OWNER_ORGANIZATION: slug('organization', 'default'),
  HYDRANT_OWNER_PROJECT: slug('project', 'web'),
  HYDRANT_ROLES: z
    .string()
    .default('all')
    .transform(text => text.split(',').map(role => role.trim()))
    .pipe(z.array(z.enum(['all', 'ingest', 'web', 'jobs'])).min(1)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CLICKHOUSE_URL: z.url({ protocol: /^https?$/ }).optional(),
  HYDRANT_CLICKHOUSE_CLUSTER: z.string().regex(/^\w+$/).optional(),
  HYDRANT_BLOBS_URL: z.url({ protocol: /^s3(\+http)?$/ }).optional(),
  HYDRANT_METRICS_TOKEN: z.string().min(16).optional(),
  HYDRANT_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is trusted. */
  HYDRANT_TRUSTED_PROXIES: list().refine(
    entries => entries.every(isPeerEntry),
    'must be addresses or CIDR ranges, separated by commas',
  ),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of mail. */
  HYDRANT_MAIL_FROM: z
    .string()
    .max(200)
    .regex(
      /^[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/,
      'must be alerts@acme.dev or Hydrant <alerts@acme.dev>',
    )
    .optional(),
  /** What channels may reach although it is not on the public internet, or on another port. */
  HYDRANT_OUTBOUND_ALLOW: list().refine(
    entries => entries.every(isAllowEntry),
    'must be addresses, CIDR ranges, host names or *.suffixes, separated by commas',
  ),
  /** Names the header in which a trusted proxy passes the address of whom it has signed in. */
  HYDRANT_PROXY_AUTH_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{1,60}$/, 'must be the name of a header')
    .optional(),
  HYDRANT_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  HYDRANT_OIDC_CLIENT_ID: z.string().optional(),
  HYDRANT_OIDC_CLIENT_SECRET: z.string().optional(),
  HYDRANT_OIDC_NAME: z.string().max(40).default('single sign-on'),
  HYDRANT_OIDC_SCOPES: z.string().default('openid email profile'),
  HYDRANT_OIDC_GROUPS_CLAIM: z.string().default('groups'),
  HYDRANT_GITHUB_CLIENT_ID: z.string().optional(),
  HYDRANT_GITHUB_CLIENT_SECRET: z.string().optional(),
  HYDRANT_GITLAB_CLIENT_ID: z.string().optional(),
  HYDRANT_GITLAB_CLIENT_SECRET: z.string().optional(),
  HYDRANT_GITLAB_URL: z.url({ protocol: /^https?$/ }).default('https://gitlab.com'),
  HYDRANT_GOOGLE_CLIENT_ID: z.string().optional(),
  HYDRANT_GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** The rules of all providers: who may sign in, and as what. */
  HYDRANT_SSO_ORGANIZATION: z.string().optional(),
  HYDRANT_SSO_ALLOWED_DOMAINS: list().transform(domains => domains.map(domain => domain.toLowerCase())),
  HYDRANT_SSO_GROUP_ROLES: list()
    .transform(pairs => pairs.map(pair => /^(.+)=(\w+)$/.exec(pair)?.slice(1) ?? [pair, '']))
    .refine(pairs => pairs.every(([, role]) => isRole(role)), `must be group=role, with ${roles.join(', ')}`)
    .transform(pairs => pairs.flatMap(([group = '', role]) => (isRole(role) ? [{ group, role }] : []))),
  HYDRANT_SSO_ROLE: z.enum(roles).default('member'),
  /** Whether a sign-in through a provider counts as two factors even if the provider does not say so. */
  HYDRANT_SSO_IS_TWO_FACTOR: z.enum(['on', 'off']).default('off'),
  /** Days after which a member signs in again: in any case, and without a visit. */
  HYDRANT_SESSION_DAYS: integer(30, 1, 400),
  HYDRANT_SESSION_IDLE_DAYS: integer(14, 1, 400),
  HYDRANT_SELF_REPORT: switchOn,
  HYDRANT_RETENTION_ERRORS_DAYS: integer(90, 1, 3650),
  HYDRANT_RETENTION_DAYS: integer(30, 1, 3650),
  /** Days since an event last needed the source maps; their age does not matter. */
  HYDRANT_RETENTION_ARTIFACTS_DAYS: integer(90, 1, 3650),
  /** Total size of source maps. Above it, the least recently used are deleted first. 0: no limit. */
  HYDRANT_ARTIFACTS_MAX_MB: integer(20_480, 0, 100_000_000),
  /** 0: no limit. */
  HYDRANT_KEY_EVENTS_PER_MINUTE: integer(0, 0, 10_000_000),
  HYDRANT_PROJECT_EVENTS_PER_MINUTE: integer(0, 0, 10_000_000),
  /** Limits keys that have no limit to several times what they usually send. */
  HYDRANT_SPIKE_PROTECTION: switchOn,
  /** New issues of a project within ten minutes, and those of level fatal; 0: no limit. */
  HYDRANT_NEW_ISSUES_MAX: integer(200, 0, 1_000_000),
  HYDRANT_NEW_FATAL_ISSUES_MAX: integer(50, 0, 1_000_000),
  HYDRANT_INBOX_MAX_MB: integer(2048, 1, 10_000_000),
  HYDRANT_DISK_RESERVE_MB: integer(512, 0, 10_000_000),
})

/** What belongs together. */
const whole = schema.superRefine((env, context) => {
  const missing = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
  for (const provider of ['OIDC', 'GITHUB', 'GITLAB', 'GOOGLE'] as const)
    if (
      (env[`HYDRANT_${provider}_CLIENT_ID`] === undefined) !==
      (env[`HYDRANT_${provider}_CLIENT_SECRET`] === undefined)
    )
      missing(`HYDRANT_${provider}_CLIENT_ID`, `needs HYDRANT_${provider}_CLIENT_SECRET, and the other way round`)
  if ((env.HYDRANT_OIDC_ISSUER === undefined) !== (env.HYDRANT_OIDC_CLIENT_ID === undefined))
    missing('HYDRANT_OIDC_ISSUER', 'needs HYDRANT_OIDC_CLIENT_ID, and the other way round')
  if ((env.HYDRANT_OWNER_EMAIL === undefined) !== (env.HYDRANT_OWNER_PASSWORD === undefined))
    missing('HYDRANT_OWNER_EMAIL', 'needs HYDRANT_OWNER_PASSWORD, and the other way round')
  if (env.HYDRANT_PROXY_AUTH_HEADER !== undefined && env.HYDRANT_TRUSTED_PROXIES.length === 0)
    missing('HYDRANT_PROXY_AUTH_HEADER', 'needs HYDRANT_TRUSTED_PROXIES, because anyone can send a header')
})

type Role = 'ingest' | 'web' | 'jobs'
export type Config = ReturnType<typeof shape>

const clientOf = (clientId = '', clientSecret = '') => ({ clientId, clientSecret })
const optionalClient = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId === undefined ? null : clientOf(clientId, clientSecret)

const shape = (env: z.output<typeof schema>) => ({
  port: env.PORT,
  host: env.HYDRANT_HOST,
  publicUrl: trimEndOf(env.HYDRANT_URL ?? `http://localhost:${env.PORT}`, '/'),
  dataDir: resolve(env.HYDRANT_DATA_DIR),
  secret: env.HYDRANT_SECRET,
  firstOwner:
    env.HYDRANT_OWNER_EMAIL === undefined || env.HYDRANT_OWNER_PASSWORD === undefined
      ? null
      : {
          email: env.HYDRANT_OWNER_EMAIL,
          password: env.HYDRANT_OWNER_PASSWORD,
          organization: env.HYDRANT_OWNER_ORGANIZATION,
          project: env.HYDRANT_OWNER_PROJECT,
        },
  roles: new Set<Role>(
    env.HYDRANT_ROLES.flatMap(role => (role === 'all' ? (['ingest', 'web', 'jobs'] as const) : [role])),
  ),
  databaseUrl: env.DATABASE_URL,
  clickhouseUrl: env.CLICKHOUSE_URL,
  clickhouseCluster: env.HYDRANT_CLICKHOUSE_CLUSTER,
  blobsUrl: env.HYDRANT_BLOBS_URL,
  metricsToken: env.HYDRANT_METRICS_TOKEN,
  logLevel: env.HYDRANT_LOG_LEVEL,
  trustedProxies: env.HYDRANT_TRUSTED_PROXIES,
  mail:
    env.SMTP_URL === undefined
      ? null
      : { url: env.SMTP_URL, from: env.HYDRANT_MAIL_FROM ?? defaultSender(env.HYDRANT_URL) },
  outboundAllow: env.HYDRANT_OUTBOUND_ALLOW,
  proxyAuthHeader: env.HYDRANT_PROXY_AUTH_HEADER?.toLowerCase(),
  providers: {
    oidc:
      env.HYDRANT_OIDC_ISSUER === undefined
        ? null
        : {
            issuer: env.HYDRANT_OIDC_ISSUER,
            name: env.HYDRANT_OIDC_NAME,
            scopes: env.HYDRANT_OIDC_SCOPES.split(/\s+/).filter(Boolean),
            groupsClaim: env.HYDRANT_OIDC_GROUPS_CLAIM,
            ...clientOf(env.HYDRANT_OIDC_CLIENT_ID, env.HYDRANT_OIDC_CLIENT_SECRET),
          },
    github: optionalClient(env.HYDRANT_GITHUB_CLIENT_ID, env.HYDRANT_GITHUB_CLIENT_SECRET),
    gitlab: optionalClient(env.HYDRANT_GITLAB_CLIENT_ID, env.HYDRANT_GITLAB_CLIENT_SECRET),
    gitlabUrl: env.HYDRANT_GITLAB_URL,
    google: optionalClient(env.HYDRANT_GOOGLE_CLIENT_ID, env.HYDRANT_GOOGLE_CLIENT_SECRET),
  },
  sso: {
    organizationSlug: env.HYDRANT_SSO_ORGANIZATION ?? null,
    allowedDomains: env.HYDRANT_SSO_ALLOWED_DOMAINS,
    groupRoles: env.HYDRANT_SSO_GROUP_ROLES,
    role: env.HYDRANT_SSO_ROLE,
    isTwoFactor: env.HYDRANT_SSO_IS_TWO_FACTOR === 'on',
  },
  sessions: { days: env.HYDRANT_SESSION_DAYS, idleDays: env.HYDRANT_SESSION_IDLE_DAYS },
  selfReport: env.HYDRANT_SELF_REPORT === 'on',
  retentionDays: { errors: env.HYDRANT_RETENTION_ERRORS_DAYS, rest: env.HYDRANT_RETENTION_DAYS },
  artifacts: {
    unusedDays: env.HYDRANT_RETENTION_ARTIFACTS_DAYS,
    maxBytes: env.HYDRANT_ARTIFACTS_MAX_MB === 0 ? null : env.HYDRANT_ARTIFACTS_MAX_MB * MiB,
  },
  limits: {
    keyEventsPerMinute: env.HYDRANT_KEY_EVENTS_PER_MINUTE,
    projectEventsPerMinute: env.HYDRANT_PROJECT_EVENTS_PER_MINUTE,
    newIssues: { all: env.HYDRANT_NEW_ISSUES_MAX, fatal: env.HYDRANT_NEW_FATAL_ISSUES_MAX },
    protectsFromSpikes: env.HYDRANT_SPIKE_PROTECTION === 'on',
    inboxMaxBytes: env.HYDRANT_INBOX_MAX_MB * MiB,
    diskReserveBytes: env.HYDRANT_DISK_RESERVE_MB * MiB,
  },
})

function defaultSender(publicUrl: string | undefined): string {
  return `Hydrant <hydrant@${URL.parse(publicUrl ?? '')?.hostname ?? 'localhost'}>`
}

type ConfigResult = { ok: true; config: Config } | { ok: false; faults: string[] }

/** What holds a password or a key can be in a file: `HYDRANT_SECRET_FILE` names the one with `HYDRANT_SECRET`. */
export const secretVariables = [
  'HYDRANT_SECRET',
  'HYDRANT_OWNER_PASSWORD',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'HYDRANT_BLOBS_URL',
  'HYDRANT_METRICS_TOKEN',
  'SMTP_URL',
  'HYDRANT_OIDC_CLIENT_SECRET',
  'HYDRANT_GITHUB_CLIENT_SECRET',
  'HYDRANT_GITLAB_CLIENT_SECRET',
  'HYDRANT_GOOGLE_CLIENT_SECRET',
] as const satisfies (keyof typeof schema.shape)[]

type Environment = Record<string, string | undefined>

/** A wrong variable becomes a fault, never an exception. An empty variable counts as unset. */
export function readConfig(env: Environment = process.env): ConfigResult {
  const files = readSecretFiles(env)
  const direct = Object.entries(env).filter(([name, value]) => name in schema.shape && value !== '')
  const given = { ...Object.fromEntries(direct), ...files.values }
  const parsed = whole.safeParse(given)
  if (parsed.success && files.faults.length === 0) return { ok: true, config: shape(parsed.data) }
  const faults = (parsed.error?.issues ?? []).map(
    issue =>
      `${String(issue.path[0] ?? 'environment')}: ${issue.message} ${printValue(String(issue.path[0] ?? ''), given)}`,
  )
  return { ok: false, faults: [...files.faults, ...faults] }
}

const maxSecretBytes = 65_536

/** The line break that editors put at the end of a file is not part of a secret. */
function readSecretFiles(env: Environment): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const name of secretVariables) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    if (env[name]) faults.push(`${name}_FILE: set either ${name} or ${name}_FILE`)
    else
      try {
        const text = readFileSync(path, 'utf8')
        const value = text.trim()
        if (value === '' || text.length > maxSecretBytes)
          faults.push(`${name}_FILE: ${path} is ${value === '' ? 'empty' : 'larger than 64 KiB'}`)
        else values[name] = value
      } catch (error) {
        faults.push(`${name}_FILE: ${path} can't be read (${error instanceof Error ? error.message : String(error)})`)
      }
  }
  return { values, faults }
}

/** Hides secrets, and passwords in URLs. */
function printValue(name: string, given: Record<string, string | undefined>): string {
  const value = given[name]
  if (value === undefined || /SECRET|TOKEN|PASSWORD/.test(name)) return ''
  return ` (got ${JSON.stringify(value.replace(/\/\/[^@/]*@/, '//…@').slice(0, 60))})`
}

/** A variable that a file of the operator names. */
export const readVariable = (name: string): string | undefined => process.env[name]

/** For a demo: no setting of the operator may lead it to real stores or to a mail server. */
export function replaceVariables(values: Record<string, string>): void {
  for (const name of [...Object.keys(schema.shape), ...secretVariables.map(one => `${one}_FILE`)])
    delete process.env[name]
  Object.assign(process.env, values)
}

/** Prints every fault and exits with 78 (EX_CONFIG) if a variable is wrong. */
export function loadConfig(): Config {
  const result = readConfig()
  if (result.ok) return result.config
  process.stderr.write(
    `Hydrant cannot start: ${result.faults.length === 1 ? '1 environment variable is' : `${result.faults.length} environment variables are`} invalid.\n${result.faults.map(fault => `  ${fault}\n`).join('')}`,
  )
  process.exit(78)
}
