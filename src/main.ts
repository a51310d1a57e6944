import { startEngine } from '#engine/start-engine.ts'
import { claimDataFolder } from '#supervisor/data-folder.ts'
import { openPort } from '#supervisor/open-port.ts'
import { runMain } from '#supervisor/run-main.ts'
import { startWeb } from '#supervisor/start-web.ts'

await runMain({ claimFolder: claimDataFolder, startWeb, startEngine, openPort })
