import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Calls that one worker makes at the same time. */
const mostAtOnce = 8;

export interface Work {
  readonly tool: string;
  readonly names: readonly string[];
  readonly arguments: readonly string[];
  readonly workers: number;
  /** A worker is killed whenever so many further calls have ended. */
  readonly killEvery: number;
  readonly random: () => number;
}

/** Has every call made, by workers that are killed again and again; what one of them did not answer another one makes. Gives how each ended. */
export async function workThrough(work: Work): Promise<{ readonly ends: ReadonlyMap<string, string>; readonly kills: number }> {
  const waiting = [...work.names];
  const ends = new Map<string, string>();
  const workers = new Map<ChildProcess, Set<string>>();
  let kills = 0;
  let isOver: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });

  const give = (worker: ChildProcess): void => {
    const own = workers.get(worker);
    while (own !== undefined && own.size < mostAtOnce && waiting.length > 0) {
      const name = waiting.shift() as string;
      own.add(name);
      worker.send({ tool: work.tool, name });
    }
  };
  const start = async (): Promise<void> => {
    const worker = fork(path.resolve('test/suites/once/worker.ts'), [...work.arguments], { execArgv: ['--import', 'tsx'] });
    worker.once('exit', () => {
      // Before others: they are made again under the same name.
      waiting.unshift(...(workers.get(worker) ?? []));
      workers.delete(worker);
      if (ends.size < work.names.length) void start();
    });
    worker.on('error', () => {});
    await once(worker, 'message');
    workers.set(worker, new Set());
    worker.on('message', ({ name, end }: { readonly name: string; readonly end: string }) => {
      workers.get(worker)?.delete(name);
      ends.set(name, end);
      if (ends.size === work.names.length) isOver();
      else if (ends.size % work.killEvery === 0) kill();
      give(worker);
    });
    give(worker);
  };
  const kill = (): void => {
    const running = [...workers.keys()];
    const victim = running[Math.floor(work.random() * running.length)];
    if (victim?.kill('SIGKILL') === true) kills++;
  };

  await Promise.all(Array.from({ length: work.workers }, start));
  await over;
  await Promise.all(
    [...workers.keys()].map(async (worker) => {
      worker.disconnect();
      await once(worker, 'exit');
    }),
  );
  return { ends, kills };
}
