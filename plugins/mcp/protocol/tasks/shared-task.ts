import { type JsonObject, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { FoundTask, Task } from './task.ts';

/** Time that a task's record stays in the store after its last change, in milliseconds. */
const storedTaskTtlMs = 60 * 60_000;

/** Minimum interval between two progress updates to other processes, in milliseconds: the interval at which clients should poll. */
const progressIntervalMs = 1000;

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface StoredTask {
  readonly caller: string;
  /** The process that runs it. */
  readonly process: string;
  readonly isOver: boolean;
  readonly details: object;
}

/** Publishes the state of a task of this process to other processes, and receives their messages for it. */
export class SharedTask {
  readonly #cluster: Cluster;
  readonly #task: Task;
  #leave: () => void = () => {};
  #scheduleWrite: NodeJS.Timeout | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isStale = false;

  constructor(cluster: Cluster, task: Task) {
    this.#cluster = cluster;
    this.#task = task;
  }

  /** Resolves when other processes can find the task, or when the store cannot be reached. */
  async begin(): Promise<void> {
    const { processes, tasks, logger } = this.#cluster;
    const task = this.#task;
    try {
      await Promise.all([tasks.listen(), processes.begin()]);
      const receive = ({ kind, responses }: JsonObject): void =>
        kind === 'cancel' ? task.cancel() : task.answer(responses as Readonly<Record<string, unknown>>);
      this.#leave = tasks.join(task.id, { label: processes.ownName, receive });
      task.onChange = (isProgress) => this.#change(isProgress);
      // A call that waits for a person may not change for days.
      this.#renewing = setInterval(() => this.#change(false), storedTaskTtlMs / 2).unref();
      this.#change(false);
      await this.#writing;
    } catch (error) {
      logger.warn(`a task is known to this process alone: ${messageOf(error)}`);
    }
  }

  #change(isProgress: boolean): void {
    if (isProgress) {
      this.#scheduleWrite ??= setTimeout(() => this.#change(false), progressIntervalMs).unref();
      return;
    }
    clearTimeout(this.#scheduleWrite);
    this.#scheduleWrite = undefined;
    this.#isStale = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#write().catch((error: unknown) =>
        this.#cluster.logger.warn(`other processes do not know how a task is: ${messageOf(error)}`),
      );
    }
    if (!this.#task.isOver) return;
    clearInterval(this.#renewing);
    this.#leave();
  }

  async #write(): Promise<void> {
    const { state, tasks, processes } = this.#cluster;
    const { id, caller, isOver, details, summary } = this.#task;
    const put = (told: object): Promise<void> => {
      const kept: StoredTask = { caller, process: processes.ownName, isOver, details: told };
      return state.set(tasks.keyOf(id, 'state'), JSON.stringify(kept), { ttlMs: storedTaskTtlMs });
    };
    try {
      await put(details);
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'PLUGIN_INVALID') throw error;
      await put(failed(summary, 'The result is too long to be given by other processes than the one that made it.'));
    }
  }
}

/** Finds a task of this caller that another process runs. Rejects when the store cannot be reached. */
export async function findShared({ state, processes, tasks }: Cluster, id: string, caller: string): Promise<FoundTask | undefined> {
  const text = idPattern.test(id) ? await state.get(tasks.keyOf(id, 'state')) : undefined;
  // Own text: a record of the store.
  const kept = text === undefined ? undefined : (JSON.parse(text) as StoredTask);
  if (kept === undefined || kept.caller !== caller) return undefined;
  const isLost = !kept.isOver && !(await processes.isAlive(kept.process));
  const post = async (mail: JsonObject): Promise<void> => {
    if (!kept.isOver && !isLost) await tasks.post(id, { from: processes.ownName, to: kept.process }, mail);
  };
  return {
    details: isLost ? failed(kept.details, 'The server that ran the call has ended. Make it again where it may run twice.') : kept.details,
    answer: (responses) => post({ kind: 'answer', responses: responses as JsonObject }),
    cancel: () => post({ kind: 'cancel' }),
  };
}

function failed(details: object, message: string): object {
  const { inputRequests: _asked, result: _result, ...known } = details as Readonly<Record<string, unknown>>;
  return { ...known, status: 'failed', error: { code: -32000, message } };
}
