/** `node src/web/web-process.ts <socket path>` */
import { runWeb } from './run-web.ts'
import { contentSecurityPolicy } from './security-headers.ts'

await runWeb({ isDevelopment: false, contentSecurityPolicy, beforePage: async () => undefined })
