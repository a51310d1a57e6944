import fc from 'fast-check'

/** Property tests try the same cases in every run; another seed looks elsewhere. */
fc.configureGlobal({ seed: Number(process.env.HYDRANT_SEED ?? 20_261_117) })
