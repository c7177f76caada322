import type { ProcessKind } from '../code/open-code.ts';

export type KeepCode = (by: ProcessKind) => Promise<void>;

/** Delay before a server writes its compiled code, in milliseconds: by then a client has its first answers, and their code is compiled. */
const serverDelayMs = 5000;

/** Writes compiled code for later processes. */
export interface CodeWriter {
  /** Sets the kind of this process. Not called for help and usage errors: they compile too little. */
  setKind(as: ProcessKind): void;
  /** Called when all output is written. */
  finish(): Promise<void>;
}

/**
 * Returns a writer of compiled code. A server writes while it waits for calls, never when it is told to stop. A command writes after its output, and so
 * ends some 40 ms later, once for each version of Node: users who never start a server get no cache otherwise.
 */
export function createCodeWriter(keep: KeepCode): CodeWriter {
  let kind: ProcessKind | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    setKind(as) {
      kind = as;
      if (as === 'server') timer = setTimeout(() => void keep(as), serverDelayMs).unref();
    },
    async finish() {
      clearTimeout(timer);
      if (kind === 'command') await keep(kind);
    },
  };
}
