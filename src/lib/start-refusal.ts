/** Hydrant must not start, and its message says why and what to do in one sentence: it is printed without a stack. */
export class StartRefusal extends Error {}
