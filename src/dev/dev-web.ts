/** Web under `npm run dev`: `node src/dev/dev-web.ts <socket path>` */
import { runWeb } from '#web/run-web.ts'
import { devContentSecurityPolicy } from './dev-policy.ts'
import { signInOwner } from './sign-in-owner.ts'

await runWeb({ isDevelopment: true, contentSecurityPolicy: devContentSecurityPolicy, beforePage: signInOwner })
