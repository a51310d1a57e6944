import type { Config } from '#config.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'

/** Commands say what they did themselves; a migration on the way is not their news. */
const silent = { info() {}, warn() {} }

/** Works before the first start as well as beside a running server: whoever comes first makes the tables. */
export async function openMigratedControl(config: Config): Promise<Control> {
  const control = openControl(config)
  try {
    await migrateControl(control, { dataDir: config.dataDir, log: silent })
    return control
  } catch (error) {
    await control.close()
    throw error
  }
}
