export type Step = { count: number; failed: number; p50Us: number; p75Us: number; p95Us: number }
/** Steps of one length from `from` to `to`, oldest first; null where there was nothing. */
export type Measures = { from: number; to: number; stepMs: number; steps: (Step | null)[]; whole: Step }
