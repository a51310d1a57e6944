/** Before the tests that run two files at a time: whichever came first would build the shop while the other uses it. */
import { prepareShop } from './prepare-shop.ts'

await prepareShop(line => process.stdout.write(`${line}\n`))
