/** The server of `plugins/mcp/docker/compose.yaml`, while it runs. */
export interface Server {
  /** Without a path. */
  readonly origin: string;
  /** Returns its log so far. */
  log(): Promise<string>;
  /** Returns the exit code of its health check. */
  checkHealth(): Promise<number | null>;
  /** Runs a program of the image beside the server, and gives what it ended with. */
  runInside(program: string, words: readonly string[]): Promise<number | null>;
  /** Ends it as an operator does, and gives what it ended with. */
  stop(): Promise<number | null>;
}

/** A way to build the image and to run what it holds: in Docker, or where there is none step by step on this machine. */
export interface Way {
  build(): Promise<void>;
  /** As compose.yaml starts it, with these variables; resolves once it is healthy. */
  start(env: Readonly<Record<string, string>>): Promise<Server>;
  /**
   * The image by `docker run`, with these flags behind those of the image, and with files at absolute paths of the image. Resolves once it answers.
   */
  startWith(flags: readonly string[], env: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>): Promise<Server>;
  /** The image alone, without any variable: what it writes and ends with. */
  startBare(): Promise<{ readonly code: number | null; readonly log: string }>;
  /** The packages that were installed, with their versions. */
  lockFile(): Promise<string>;
  /** Removes what it made. */
  clear(): Promise<void>;
}
