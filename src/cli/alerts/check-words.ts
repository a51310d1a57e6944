/** The words in a file of rules that nothing can match. */
import type { Config } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import { createViewers } from '#domain/alerts/organization-viewer.ts'
import type { FileRule } from '#domain/alerts/rules-file.ts'
import { findUnknownKeys, listTagKeys } from '#domain/alerts/unknown-keys.ts'
import { openControl } from '#store/control/open-control.ts'
import { ensureTables, openTelemetryHere } from '../open-stores.ts'

/** `unchecked`: tags that couldn't be checked against received data, because ClickHouse doesn't respond. */
export type CheckedWords = { faults: string[]; unchecked: string[] }

/** Opens ClickHouse only if a rule asks for tags. */
export async function checkWords(
  { now }: CommandContext,
  config: Config,
  { organizationId, rules }: { organizationId: number; rules: readonly FileRule[] },
): Promise<CheckedWords> {
  const asking = rules.filter(rule => listTagKeys(rule.config).length > 0)
  if (asking.length === 0) return { faults: [], unchecked: [] }
  try {
    return { faults: await findFaults(config, { organizationId, asking, now: now() }), unchecked: [] }
  } catch {
    const keys = asking.flatMap(rule => listTagKeys(rule.config).map(({ key }) => key))
    return { faults: [], unchecked: [...new Set(keys)] }
  }
}

type Asked = { organizationId: number; asking: readonly FileRule[]; now: number }

async function findFaults(config: Config, { organizationId, asking, now }: Asked): Promise<string[]> {
  const control = openControl(config)
  const opened = await openTelemetryHere(config).catch(async error => {
    await control.close()
    throw error
  })
  try {
    await ensureTables(config, control, opened)
    const viewer = await createViewers({ control, telemetry: opened.telemetry }, now)(organizationId)
    if (viewer === null) return []
    const faults: string[] = []
    for (const { name, project, config: rule } of asking) {
      const projectId = viewer.projects.find(({ slug }) => slug === project)?.id ?? null
      for (const unknown of await findUnknownKeys(viewer, { config: rule, projectId }))
        faults.push(`rule ${name}: ${unknown.in}: ${unknown.message}`)
    }
    return faults
  } finally {
    await opened.close()
    await control.close()
  }
}
