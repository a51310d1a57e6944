import { commandsSuite } from './control-suites/commands.ts'
import { databaseSuite } from './control-suites/database.ts'
import { firstRunSuite } from './control-suites/first-run.ts'
import { migrationsSuite } from './control-suites/migrations.ts'
import { provisioningSuite } from './control-suites/provisioning.ts'
import { onEachEngine } from './on-each-engine.ts'

onEachEngine(engine => {
  migrationsSuite(engine)
  databaseSuite(engine)
  commandsSuite(engine)
  firstRunSuite(engine)
  provisioningSuite(engine)
})
