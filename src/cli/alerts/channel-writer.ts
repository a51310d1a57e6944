import type { Config } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { ChannelWriter } from '#domain/alerts/apply-file.ts'
import type { FileChannel } from '#domain/alerts/rules-file.ts'
import {
  changeChannel,
  createChannel,
  deleteChannel,
  findChannelRow,
  switchChannel,
} from '#domain/channels/change-channel.ts'
import { readSettings } from '#domain/channels/channel-settings.ts'
import { channelKinds, findKind } from '#domain/channels/kinds/list.ts'
import { checkTarget, createTargetRules } from '#lib/outbound/check-target.ts'
import { loadSecret } from '#store/control/secret.ts'

/** Channels by name, with the checks that the page has. */
export function channelWriter(config: Config): ChannelWriter {
  const rules = createTargetRules({ ...config, allow: config.outboundAllow })
  const installationSecret = loadSecret(config)
  const keeper = {
    installationSecret,
    checkUrl: (url: string) => {
      const checked = checkTarget(rules, url)
      return checked.ok ? null : checked.code
    },
  }
  return {
    plan: async (context, organizationId, channel) => {
      const kind = findKind(channel.kind)
      if (kind === null) {
        const kinds = channelKinds.map(({ id }) => id).join(', ')
        return { fault: `there is no kind ${JSON.stringify(channel.kind)}; kinds are ${kinds}` }
      }
      const unknown = Object.keys(channel.settings).filter(name => !kind.fields.some(field => field.name === name))
      if (unknown.length > 0) {
        const known = kind.fields.map(({ name }) => name).join(', ')
        return { fault: `${channel.kind} has no ${unknown.join(', ')}; its settings are ${known}` }
      }
      const change = { what: 'channel', name: channel.name } as const
      const stored = await findByName(context, organizationId, channel.name)
      if (stored === null) return { ...change, sign: '+', note: channel.kind }
      if (stored.kind !== channel.kind) return { fault: `is a ${stored.kind} channel; give the new one another name` }
      const read = await readSettings(context.db, installationSecret, stored)
      const before = read.ok ? read.settings : {}
      const projectId = await findProject(context, organizationId, channel)
      const differs = [
        ...(projectId === stored.project_id ? [] : ['project']),
        ...Object.keys(channel.settings).filter(name => before[name] !== channel.settings[name]),
        ...(isSwitched(channel, stored.state) ? ['on'] : []),
      ]
      return { ...change, sign: differs.length === 0 ? '=' : '~', note: differs.join(', ') }
    },
    save: async (context, organizationId, channel) => {
      const stored = await findByName(context, organizationId, channel.name)
      const projectId = await findProject(context, organizationId, channel)
      if (projectId === undefined) return { fault: `there is no project ${JSON.stringify(channel.project)}` }
      const given = { ...keeper, organizationId, projectId, name: channel.name, settings: channel.settings }
      const saved =
        stored === null
          ? await createChannel(context, { ...given, kind: channel.kind, ownerUserId: null })
          : await changeChannel(context, { ...given, channelId: stored.id })
      // Saving switches a channel on.
      if (saved.ok && (channel.isOn ?? stored?.state !== 'disabled') === false)
        await switchChannel(context, { organizationId, channelId: saved.id, isOn: false })
      if (saved.ok) return { secret: saved.generated }
      if (saved.code !== 'settings_invalid') return { fault: saved.code }
      return {
        fault: Object.entries(saved.fields)
          .map(([name, message]) => `${name}: ${message}`)
          .join(' '),
      }
    },
    remove: async (context, organizationId, channelId) => {
      await deleteChannel(context, { organizationId, channelId })
    },
  }
}

const isSwitched = ({ isOn }: FileChannel, state: string): boolean =>
  isOn !== undefined && isOn !== (state !== 'disabled')

async function findByName(context: CommandContext, organizationId: number, name: string) {
  const row = await context.db
    .selectFrom('channel')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row === undefined ? null : ((await findChannelRow(context, { organizationId, channelId: row.id })) ?? null)
}

/** Null for a channel of all projects, undefined for a project that does not exist. */
async function findProject({ db }: CommandContext, organizationId: number, { project }: FileChannel) {
  if (project === undefined) return null
  const row = await db
    .selectFrom('project')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', project)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}
