import { join } from 'node:path'

/** Where rows that are no text wait for the statement that inserts them. Within the data folder: the engine sees no other. */
export const incomingFolder = (dataPath: string): string => join(dataPath, 'incoming')
