/** Main under `npm run dev`. It loads packages when it starts, Hydrant's code at `load`, and begins at `go`. */
import { endWithParent } from './end-with-parent.ts'
import { preloadPackages } from './preload-packages.ts'
import { whenTold } from './when-told.ts'

endWithParent()

const mayLoad = whenTold('load')
const mayGo = whenTold('go')

await preloadPackages('src/dev/dev-main.ts')
await mayLoad
const { runDevMain } = await import('./run-dev-main.ts')
process.send?.({ type: 'loaded' })
await mayGo
await runDevMain()
