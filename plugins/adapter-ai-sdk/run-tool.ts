import { type Progress, ToolkitError } from '../../kernel/index.ts';
import { textOf } from '../shared/model-tools/model-result.ts';
import type { Approve, ModelTools } from '../shared/model-tools/model-tools.ts';
import { toFrameworkOutput } from './output.ts';

/** A preliminary result that reports the progress of a tool. */
export interface ToolProgress {
  readonly 'toolkit/progress': Progress;
}

/** Runs a tool. Yields its progress as preliminary results, then its output. Throws when it fails, with a message for the model. */
export async function* runTool(
  tools: ModelTools,
  name: string,
  input: unknown,
  { signal, approve }: { readonly signal: AbortSignal | undefined; readonly approve: Approve | undefined },
): AsyncGenerator<unknown, void> {
  const pending: Progress[] = [];
  let wake = (): void => {};
  let isOver = false;
  const onProgress = (progress: Progress): void => {
    pending.push(progress);
    wake();
  };
  const call = tools.call(name, input, { signal, onProgress, approve }).finally(() => {
    isOver = true;
    wake();
  });
  while (!isOver || pending.length > 0) {
    const next = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (pending.length === 0 && !isOver) await next;
    for (const progress of pending.splice(0)) yield { 'toolkit/progress': progress } satisfies ToolProgress;
  }
  const result = await call;
  signal?.throwIfAborted();
  if (result.error !== undefined) throw new ToolkitError(result.error.code, textOf(result), result.error.details, { cause: result.error });
  yield toFrameworkOutput(result);
}
