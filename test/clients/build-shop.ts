/** Runs before tests that run in parallel, so that no test builds the shop while another uses it. */
import { prepareShop } from './prepare-shop.ts'

await prepareShop(line => process.stdout.write(`${line}\n`))
