import { errorTypeOf } from './error-type.ts';
import type { Span } from './span.ts';

/** Ends the span of a stage, with the error if it failed. Further calls change nothing: work of an aborted stage may end later. */
export type EndStage = (error?: unknown) => void;

/** Starts the span of a stage that waits. `step`: the name of the work, where the stage has several. */
export function startStage(span: Span, hook: string, step: string | undefined): EndStage {
  const attributes = { 'toolkit.stage': hook, ...(step === undefined ? {} : { 'toolkit.stage.step': step }) };
  const stage = span.start(`toolkit.stage ${hook}`, 'internal', attributes);
  let isOver = false;
  return (error) => {
    if (isOver) return;
    isOver = true;
    stage.end(error === undefined ? undefined : errorTypeOf(error));
  };
}
