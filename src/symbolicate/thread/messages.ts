import type { BlobsPlace } from '#store/blobs/open-blobs.ts'
import type { Mapped } from '../mapped.ts'
import type { MapTask } from '../symbolicator.ts'

export type SymbolicateThreadData = BlobsPlace
export type ToThread = { id: number; tasks: MapTask[] }
export type FromThread = { id: number } & ({ answers: Mapped[][] } | { error: string })
