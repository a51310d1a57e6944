/** Hydrant must not start. The message says why and what to do, and is printed without a stack. */
export class StartRefusal extends Error {}
