/** The parts of the Emscripten module and its file system that we use; the package has no types. */

export type FsNode = {
  id: number
  name: string
  mode: number
  parent: FsNode
  mount: { opts: { root: string } }
  node_ops: NodeOps
  stream_ops: StreamOps
}

export type FsStream = { fd: number; node: FsNode; flags: number; position: number; hostFd?: number }

export type FsAttributes = {
  dev: number
  ino: number
  mode: number
  nlink: number
  uid: number
  gid: number
  rdev: number
  size: number
  atime: Date
  mtime: Date
  ctime: Date
  blksize: number
  blocks: number
}

type FsChange = { mode?: number; size?: number; atime?: number; mtime?: number }

export type NodeOps = {
  getattr(node: FsNode): FsAttributes
  setattr(node: FsNode, change: FsChange): void
  lookup?(parent: FsNode, name: string): FsNode
  mknod?(parent: FsNode, name: string, mode: number): FsNode
  rename?(node: FsNode, newParent: FsNode, newName: string): void
  unlink?(parent: FsNode, name: string): void
  rmdir?(parent: FsNode, name: string): void
  readdir?(node: FsNode): string[]
  symlink?(parent: FsNode, name: string, target: string): FsNode
  readlink?(node: FsNode): string
  statfs?(root: string): { bsize: number; frsize: number; blocks: number; bfree: number; bavail: number }
}

export type StreamOps = {
  open?(stream: FsStream): void
  close?(stream: FsStream): void
  dup?(stream: FsStream): void
  getattr?(stream: FsStream): FsAttributes
  setattr?(stream: FsStream, change: FsChange): void
  read?(stream: FsStream, heap: Int8Array, offset: number, length: number, position: number): number
  write?(stream: FsStream, heap: Int8Array, offset: number, length: number, position: number): number
  llseek?(stream: FsStream, offset: number, whence: number): number
}

export type FsType = { mount(mount: { opts: { root: string } }): FsNode }

export type EmscriptenFs = {
  ErrnoError: new (errno: number) => Error
  createNode(parent: FsNode | null, name: string, mode: number, rdev: number): FsNode
  lookupNode(parent: FsNode, name: string): FsNode
  hashRemoveNode(node: FsNode): void
  isDir(mode: number): boolean
  mkdir(path: string): void
  mount(type: FsType, options: { root: string }, mountpoint: string): void
  writeFile(path: string, data: string): void
}

/** Addresses are bigint: the module is built for 64-bit memory. */
export type ChdbModule = {
  FS: EmscriptenFs
  UTF8ToString(address: number): string
  /** Wrapped by Emscripten, hence numbers, unlike chDB's functions. */
  _malloc(sizeBytes: number): number
  _free(address: number): void
  _chdb_wasm_connect(path: bigint): bigint
  _chdb_wasm_close_conn(connection: bigint): void
  _chdb_wasm_query_conn(connection: bigint, sql: bigint, format: bigint): bigint
  _chdb_wasm_cancel_flag_addr(): bigint
  _chdb_wasm_result_error(result: bigint): bigint
  _chdb_wasm_result_buffer(result: bigint): bigint
  _chdb_wasm_result_length(result: bigint): bigint
  _chdb_wasm_result_elapsed(result: bigint): number
  _chdb_wasm_result_scanned_rows(result: bigint): bigint
  _chdb_wasm_result_scanned_bytes(result: bigint): bigint
  _chdb_wasm_free_result(result: bigint): void
}

type ChdbModuleOptions = {
  wasmMemory: WebAssembly.Memory
  /** The entry script of threads; it must load the module itself. */
  mainScriptUrlOrBlob: string
  print(line: string): void
  printErr(line: string): void
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): void
}

export type ChdbModuleFactory = (options: ChdbModuleOptions) => Promise<ChdbModule>
