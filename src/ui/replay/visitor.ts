export type Visitor = { id: string; email: string; name: string; ip: string }

/** The name that an app gave its user, or the beginning of the replay's id for one who is not signed in. */
export const nameVisitor = ({ id, email, name, ip }: Visitor, replayId: string): string =>
  email || name || id || ip || `Visitor ${replayId.slice(0, 4)}`
