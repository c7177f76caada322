import type { Work } from '../code/open-code.ts';

export type KeepCode = (by: Work) => Promise<void>;

/** A client has its first answers by then, and what they took is compiled. */
const serverMs = 5000;

/** Leaves compiled code to the processes that come. */
export interface CodeLeft {
  /** The process does this. Help and usage errors, which do neither, compile too little to be worth keeping. */
  works(as: Work): void;
  /** All is written. */
  done(): Promise<void>;
}

/**
 * A server leaves it while it waits for calls, never when it is told to stop; a command when its output has been written. That it then ends
 * some 40 ms later happens once for each version of Node: nobody else would do it for those who never start a server.
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
