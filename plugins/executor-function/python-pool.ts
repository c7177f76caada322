import { PythonWorker } from './python-worker.ts';
import { type Job, type PoolLimits, WorkerPool } from './worker-pool.ts';

/**
 * Makes a pool of `python3` processes that run Python functions. They are killed when their call is aborted, and when this
 * process exits.
 */
export function newPythonPool(program: string, limits: PoolLimits): WorkerPool {
  const running = new Set<PythonWorker>();
  const onExit = (): void => {
    for (const worker of running) worker.kill();
  };
  const start = ({ launched }: Job): PythonWorker => {
    const worker = new PythonWorker(program, launched);
    if (running.size === 0) process.on('exit', onExit);
    running.add(worker);
    void worker.ended.then(() => {
      running.delete(worker);
      if (running.size === 0) process.off('exit', onExit);
    });
    return worker;
  };
  return new WorkerPool({ ...limits, spareWorkers: 0, start });
}
