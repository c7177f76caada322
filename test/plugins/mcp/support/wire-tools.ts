import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { until } from './wire.ts';

interface Run {
  readonly signal: AbortSignal;
  progress(progress: number): void;
  release(): void;
}

/** A tool, called `hold`, whose calls run until the test releases them or somebody cancels them. */
export class Hold {
  readonly runs: Run[] = [];
  readonly tool = {
    name: 'hold',
    description: 'Runs until it is released.',
    execution: { type: 'function', handler: (_parameters: unknown, context: FunctionContext) => this.#run(context) },
    risk: 'low',
  };

  #run({ signal, progress }: FunctionContext): Promise<string> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      this.runs.push({ signal, progress: (value) => progress({ progress: value }), release: () => resolve('released') });
    });
  }

  /** The call with this number, from 0, once it runs. */
  run(number: number): Promise<Run> {
    return until(() => this.runs[number]);
  }

  /** Resolves once that call is cancelled. */
  async cancelled(number: number): Promise<void> {
    const { signal } = await this.run(number);
    await until(() => signal.aborted || undefined);
  }
}

/** A program, called `nap`, that writes its process id to `file` and goes on until it is ended. */
export const napTool = {
  name: 'nap',
  description: 'Starts a program that waits.',
  parameters: { file: { type: 'string', required: true } },
  execution: { type: 'command', command: 'sh', args: ['-c', 'echo $$ > "$0.part"; mv "$0.part" "$0"; exec sleep 300', '{file}'] },
  risk: 'low',
};
