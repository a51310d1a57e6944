/** How V8 is to run the WebAssembly build. Code that was saved under other flags is refused by V8 itself. */
export const engineFlags = [
  // Function bodies are checked and compiled when first called: a second less to wait for a 158 MB module.
  '--wasm-lazy-validation',
  '--wasm-lazy-compilation',
  // Measured: half a second sooner and 400 MB smaller; what is hot is still optimized, a little later and a tenth slower.
  '--no-wasm-inlining',
  '--wasm-tiering-budget=250000000',
  // For the two functions by which V8 gives and takes compiled code: wasm-code.ts.
  '--allow-natives-syntax',
  '--disable-warning=ExperimentalWarning',
]

/** With these every function is optimized before its first call. They are taken back before the code is saved. */
export const compilingFlags = { on: ['--no-liftoff'], off: ['--liftoff', '--wasm-dynamic-tiering'] }
