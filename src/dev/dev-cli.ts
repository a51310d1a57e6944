/** The command line as `npm run dev` starts it: without the dev program it would go on writing sample data. */
import { endWithParent } from './end-with-parent.ts'

endWithParent()
process.channel?.unref() // it ends when its command has
await import('#cli/hydrant.ts')
