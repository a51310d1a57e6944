import { commandsSuite } from './control-suites/commands.ts'
import { databaseSuite } from './control-suites/database.ts'
import { provisioningSuite } from './control-suites/provisioning.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(engine => {
  databaseSuite(engine)
  commandsSuite(engine)
  provisioningSuite(engine)
})
