import type { Cluster } from '../../../cluster/cluster.ts';
import { type FoundTask, Task, type TaskOptions } from './task.ts';

/** Tasks that one caller may have at the same time, those that are over included. */
const mostOfCaller = 1000;

/** The tasks of a server, by the caller whose they are. They end with its process; others that share a store with it find them. */
export class Tasks {
  readonly #byCaller = new Map<string, Map<string, Task>>();
  readonly #cluster: Cluster | undefined;

  constructor(cluster?: Cluster) {
    this.#cluster = cluster;
  }

  /** Undefined where the caller has as many as it may have: its call is answered like any other then. */
  open(options: TaskOptions): Task | undefined {
    const own = this.#of(options.caller);
    if (own.size >= mostOfCaller) return undefined;
    const task = new Task(options);
    own.set(task.id, task);
    this.#byCaller.set(options.caller, own);
    return task;
  }

  /** Resolves when other processes find the task; undefined where there are none. */
  share(task: Task): Promise<void> | undefined {
    const cluster = this.#cluster;
    return cluster && import('./shared-task.ts').then(({ SharedTask }) => new SharedTask(cluster, task).begin());
  }

  /** One of another caller is not found. A promise where another process may have it. */
  find(id: string, caller: string): FoundTask | undefined | Promise<FoundTask | undefined> {
    const own = this.#of(caller).get(id);
    const cluster = this.#cluster;
    if (own !== undefined || cluster === undefined) return own;
    return import('./shared-task.ts').then(({ findShared }) => findShared(cluster, id, caller));
  }

  /** Ends all that run here for a caller. */
  cancelAllOf(caller: string): void {
    for (const task of this.#of(caller).values()) task.cancel();
  }

  /** Without those that have expired. */
  #of(caller: string): Map<string, Task> {
    const own = this.#byCaller.get(caller) ?? new Map<string, Task>();
    for (const [id, task] of own) if (task.hasExpired) own.delete(id);
    if (own.size === 0) this.#byCaller.delete(caller);
    return own;
  }
}
