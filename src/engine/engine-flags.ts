/** V8 flags for the WebAssembly build. V8 rejects code that was saved under other flags. */
export const engineFlags = [
  // Validate and compile functions on their first call: the 158 MB module is ready a second sooner.
  '--wasm-lazy-validation',
  '--wasm-lazy-compilation',
  // Measured: half a second sooner and 400 MB less; hot code is still optimized, a little later and a tenth slower.
  '--no-wasm-inlining',
  '--wasm-tiering-budget=250000000',
  // For V8's functions that serialize compiled code (wasm-code.ts).
  '--allow-natives-syntax',
  '--disable-warning=ExperimentalWarning',
]

/** `on` optimizes every function before its first call; `off` restores the flags before the code is saved. */
export const compilingFlags = { on: ['--no-liftoff'], off: ['--liftoff', '--wasm-dynamic-tiering'] }
