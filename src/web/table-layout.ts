import { getRuntime } from '#runtime.ts'
import { layoutOf, type TableLayout } from '#store/telemetry/table-layout.ts'

/** One server or a cluster, as it is configured. */
export const tableLayout = (): TableLayout => layoutOf(getRuntime().config)
