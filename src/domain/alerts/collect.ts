/** Collecting: after a message was sent, others of its lane wait for each other, and arrive as one. */

/** After a message, others of the same lane are collected for so long; those of the same deploy for longer. */
export const collectMs = 60_000
export const deployCollectMs = 5 * 60_000

/** Collects what follows a deploy, apart from everything else of the lane. */
export const deployKey = (laneKey: string, deploy: string): string => `${laneKey}/deploy:${deploy}`

export function readKey(key: string): { laneKey: string; deploy: string } {
  const [laneKey = '', deploy = ''] = key.split(/\/deploy:(.*)/s)
  return { laneKey, deploy }
}
