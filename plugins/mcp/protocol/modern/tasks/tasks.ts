import { Task, type TaskOptions } from './task.ts';

/** Tasks that one caller may have at the same time, those that are over included. */
const mostOfCaller = 1000;

/** The tasks of a server, by the caller whose they are. They end with its process. */
export class Tasks {
  readonly #byCaller = new Map<string, Map<string, Task>>();

  /** Undefined where the caller has as many as it may have: its call is answered like any other then. */
  open(options: TaskOptions): Task | undefined {
    const own = this.#of(options.caller);
    if (own.size >= mostOfCaller) return undefined;
    const task = new Task(options);
    own.set(task.id, task);
    this.#byCaller.set(options.caller, own);
    return task;
  }

  /** One of another caller is not found. */
  find(id: string, caller: string): Task | undefined {
    return this.#of(caller).get(id);
  }

  /** Without those that have expired. */
  #of(caller: string): Map<string, Task> {
    const own = this.#byCaller.get(caller) ?? new Map<string, Task>();
    for (const [id, task] of own) if (task.hasExpired) own.delete(id);
    if (own.size === 0) this.#byCaller.delete(caller);
    return own;
  }
}
