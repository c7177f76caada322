import { refuseCostlyAnswer } from '../json/cost.ts';
import { jsonInSlices } from '../json/in-slices.ts';
import type { JsonValue } from '../json/json.ts';
import { LongWork } from '../time/long-work.ts';
import type { CallOrigin } from './draft.ts';

/** Converts a large output to JSON, in slices. Throws OUTPUT_TOO_LARGE for a model when it exceeds the limit, and OUTPUT_INVALID. */
export async function convertLargeResult(tool: string, output: unknown, origin: CallOrigin): Promise<JsonValue> {
  const work = new LongWork();
  if (work.isDue) await work.yieldToEventLoop();
  if (origin === 'model') refuseCostlyAnswer(tool, output);
  if (work.isDue) await work.yieldToEventLoop();
  return jsonInSlices(output);
}
