import Type from 'typebox';
import { apiVersion, type Call, type CallContext, definePlugin, type ExecutionResult, type Progress } from '../../kernel/index.ts';
import { withReplaced } from '../shared/text/with-replaced.ts';
import { type HttpDefinition, registerHttpDefinition } from './definition/http-definition.ts';
import { exchange } from './exchange.ts';
import { executePaged } from './paginate/paged.ts';
import { pollResult } from './poll/poll-result.ts';
import { destinationOf } from './request/destination.ts';
import { encodings } from './request/encodings.ts';
import { applySelect } from './response/apply-select.ts';
import { withHeaders } from './response/with-headers.ts';

/** Runs `execution.type: http`: renders the request, sends it, maps the status to an error code, and reads the answer. */
export const executorHttp = definePlugin({
  name: 'executor-http',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Limit of an answer, in bytes. For a call with several requests, the limit of all answers together. @default 10485760 */
      maxResponseBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { maxResponseBytes = 10 * 1024 * 1024 }) {
    const http: HttpDefinition = registerHttpDefinition(kernel.extend, (call, context) =>
      destinationOf(http.execution.of(call.tool), call, context),
    );
    for (const [name, encode] of Object.entries(encodings)) kernel.extend.encoding(name, encode);
    kernel.hooks.execute.for('http').tapPromise('executor-http', (call, context) => execute(http, call, context, maxResponseBytes));
  },
});

async function execute(http: HttpDefinition, call: Call, context: CallContext, maxBytes: number): Promise<ExecutionResult> {
  const paginate = http.paginate.of(call.tool);
  const select = http.select.of(call.tool);
  const shapeResult = (result: ExecutionResult): ExecutionResult => (select === undefined ? result : applySelect(result, select, context));
  if (paginate !== undefined) {
    const execution = http.execution.of(call.tool);
    return shapeResult(
      await executePaged(call, context, { paginate, execution }, (pageCall, limits) =>
        exchange(http, pageCall, context, { maxBytes, ...limits }),
      ),
    );
  }
  const limits = { maxBytes, previousBytes: 0, onProgress: (progress: Progress) => context.progress(progress) };
  const poll = http.poll.of(call.tool);
  const first = await exchange(http, call, context, limits);
  const { read, headers } = poll === undefined ? first : await pollResult(http, poll, first, context, limits);
  const result = {
    output: read.body,
    ...(read.content === undefined ? {} : { content: read.content }),
    meta: { status: read.status, contentType: read.contentType },
  };
  const outputHeaders = http.outputHeaders.of(call.tool);
  const isEmpty = read.bytes === 0 && read.isSaved !== true;
  const shaped = read.isSaved === true || (isEmpty && outputHeaders !== undefined) ? result : shapeResult(result);
  return withReplaced(outputHeaders === undefined ? shaped : withHeaders(shaped, outputHeaders, headers, isEmpty), read.replaced);
}
