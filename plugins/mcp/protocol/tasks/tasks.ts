import type { Cluster } from '../../cluster/cluster.ts';
import { type FoundTask, Task, type TaskOptions } from './task.ts';

/** Maximum number of tasks of one caller, finished tasks included. */
const maxTasksPerCaller = 1000;

/** Tasks of a server by caller. They end with their process. Processes that share a store find each other's tasks. */
export class Tasks {
  readonly #byCaller = new Map<string, Map<string, Task>>();
  readonly #cluster: Cluster | undefined;

  constructor(cluster?: Cluster) {
    this.#cluster = cluster;
  }

  /** Creates a task. Returns undefined when the caller has too many; its call then gets an ordinary response. */
  open(options: TaskOptions): Task | undefined {
    const own = this.#of(options.caller);
    if (own.size >= maxTasksPerCaller) return undefined;
    const task = new Task(options);
    own.set(task.id, task);
    this.#byCaller.set(options.caller, own);
    return task;
  }

  /** Publishes the task. Resolves when other processes can find it; undefined when there are none. */
  share(task: Task): Promise<void> | undefined {
    const cluster = this.#cluster;
    return cluster && import('./shared-task.ts').then(({ SharedTask }) => new SharedTask(cluster, task).begin());
  }

  /** Finds a task of this caller. A promise where another process may have it. */
  find(id: string, caller: string): FoundTask | undefined | Promise<FoundTask | undefined> {
    const own = this.#of(caller).get(id);
    const cluster = this.#cluster;
    if (own !== undefined || cluster === undefined) return own;
    return import('./shared-task.ts').then(({ findShared }) => findShared(cluster, id, caller));
  }

  /** Cancels all tasks of a caller in this process. */
  cancelAllOf(caller: string): void {
    for (const task of this.#of(caller).values()) task.cancel();
  }

  /** Returns the caller's tasks, without the expired ones. */
  #of(caller: string): Map<string, Task> {
    const own = this.#byCaller.get(caller) ?? new Map<string, Task>();
    for (const [id, task] of own) if (task.hasExpired) own.delete(id);
    if (own.size === 0) this.#byCaller.delete(caller);
    return own;
  }
}
