/** Runs before tests that run in parallel, so that no test builds the shop while another uses it. `--install` stops after installing. */
import { installShop, prepareShop } from './prepare-shop.ts'

const tell = (line: string) => void process.stdout.write(`${line}\n`)

if (process.argv.includes('--install')) await installShop(tell)
else await prepareShop(tell)
