import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../../kernel/index.ts';
import { sendStatus } from '../../../shared/health/probe-answer.ts';
import type { Readiness } from '../../../shared/health/readiness.ts';

/** Answers `/health`. `state`: facts for operators only. */
export function answerHealth(response: ServerResponse, { isStopping }: Readiness, tools: number, state: JsonObject | undefined): void {
  sendStatus(response, { status: isStopping ? 'stopping' : 'ok', tools, ...(state === undefined ? {} : { state }) }, isStopping);
}
