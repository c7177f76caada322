import type { Work } from '../code/open-code.ts';

export type KeepCode = (by: Work) => Promise<void>;

/** Delay before a server writes its compiled code, in milliseconds: by then a client has its first answers, and their code is compiled. */
const serverMs = 5000;

/** Writes compiled code for later processes. */
export interface CodeLeft {
  /** Sets the kind of this process. Not called for help and usage errors: they compile too little. */
  works(as: Work): void;
  /** Called when all output is written. */
  done(): Promise<void>;
}

/**
 * Returns a writer of compiled code. A server writes while it waits for calls, never when it is told to stop. A command writes after its output, and so
 * ends some 40 ms later, once for each version of Node: users who never start a server get no cache otherwise.
 */
export function leaveCode(keep: KeepCode): CodeLeft {
  let work: Work | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    works(as) {
      work = as;
      if (as === 'server') timer = setTimeout(() => void keep(as), serverMs).unref();
    },
    async done() {
      clearTimeout(timer);
      if (work === 'command') await keep(work);
    },
  };
}
