import { join } from 'node:path'

/** Holds rows in a binary format until they are inserted. In the data folder, since the engine sees no other. */
export const incomingFolder = (dataPath: string): string => join(dataPath, 'incoming')
