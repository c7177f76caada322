/** State of the process that plugin code may change by mistake. */
export interface ProcessState {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly globals: readonly string[];
  /** Listeners on `process`, by event. */
  readonly listeners: Readonly<Record<string, number>>;
  /** Resources that keep the process alive, such as `Timeout` or `TCPServerWrap`; one entry for each. */
  readonly resources: readonly string[];
}

/** Differences between two states of the process. */
export interface ProcessChanges {
  /** Names of environment variables that were changed, added or removed. */
  readonly variables: readonly string[];
  readonly isFolderChanged: boolean;
  readonly globals: readonly string[];
  /** Events of `process` with more listeners than before. */
  readonly listeners: readonly string[];
  readonly resources: readonly string[];
}

export function processState(): ProcessState {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    globals: Object.getOwnPropertyNames(globalThis),
    listeners: Object.fromEntries(process.eventNames().map((event) => [String(event), process.listenerCount(event)])),
    resources: process.getActiveResourcesInfo(),
  };
}

export function changesBetween(before: ProcessState, after: ProcessState): ProcessChanges {
  const variables = new Set([...Object.keys(before.environment), ...Object.keys(after.environment)]);
  const count = (list: readonly string[], kind: string): number => list.filter((other) => other === kind).length;
  return {
    variables: [...variables].filter((name) => before.environment[name] !== after.environment[name]),
    isFolderChanged: before.folder !== after.folder,
    globals: after.globals.filter((name) => !before.globals.includes(name)),
    listeners: Object.keys(after.listeners).filter((event) => (after.listeners[event] ?? 0) > (before.listeners[event] ?? 0)),
    resources: [...new Set(after.resources)].filter((kind) => count(after.resources, kind) > count(before.resources, kind)),
  };
}
