/** Resolves with the first message of this type from the dev program. */
export const whenTold = (wanted: string): Promise<void> =>
  new Promise(resolve => process.on('message', (message: { type: string }) => message.type === wanted && resolve()))
