import type { DefinitionKey, ExecutionReader, Extend, Identify } from '../../../kernel/index.ts';
import { build } from '../../shared/project/build.ts';
import { type AuthDefinition, AuthSchema } from './auth.ts';
import { checkBody } from './check-body.ts';
import { checkPaginate } from './check-paginate.ts';
import { checkPoll } from './check-poll.ts';
import { checkErrorWhen, type ErrorWhen, ErrorWhenSchema } from './error-when.ts';
import {
  annotationsOf,
  authAlternatives,
  checkExecution,
  completeExecution,
  encodingsOf,
  type HttpExecution,
  HttpExecutionSchema,
  riskOf,
} from './execution.ts';
import { checkIdempotency, type Idempotency, IdempotencySchema } from './idempotency.ts';
import { checkOutputHeaders, type OutputHeaders, OutputHeadersSchema } from './output-headers.ts';
import { type Paginate, PaginateSchema } from './paginate.ts';
import { type Poll, PollSchema } from './poll.ts';
import { checkRetry, RepeatAfter401Schema, type Retry, RetrySchema } from './retry.ts';
import { checkSaveTo, type SaveTo, SaveToSchema } from './save-to.ts';
import { checkSelect, SelectSchema } from './select.ts';

/** The readers of http tool definitions and of their providers. */
export interface HttpDefinition {
  readonly execution: ExecutionReader<HttpExecution>;
  readonly errorWhen: DefinitionKey<ErrorWhen>;
  readonly paginate: DefinitionKey<Paginate>;
  readonly idempotency: DefinitionKey<Idempotency>;
  readonly retry: DefinitionKey<Retry>;
  readonly repeatAfter401: DefinitionKey<boolean>;
  readonly saveTo: DefinitionKey<SaveTo>;
  readonly select: DefinitionKey<string>;
  readonly outputHeaders: DefinitionKey<OutputHeaders>;
  readonly poll: DefinitionKey<Poll>;
}

const executionTypes = ['http'] as const;

/** Registers `execution.type: http` and the keys beside it with the kernel. */
export function registerHttpDefinition(extend: Extend, identify: Identify): HttpDefinition {
  const auth: DefinitionKey<AuthDefinition> = extend.definitionKey('auth', AuthSchema, {
    on: 'provider',
    executionTypes,
    fingerprint: build,
  });
  const execution = extend.execution('http', {
    schema: HttpExecutionSchema,
    actsByFetch: true,
    risk: riskOf,
    annotations: annotationsOf,
    complete: (definition, provider) => completeExecution(definition, provider, auth.ofProvider({ provider })),
    check: (definition, origin, names) => [...checkExecution(definition, origin, names), ...checkBody(definition, names)],
    identify,
    alternatives: authAlternatives,
    derives: (definition) => [...encodingsOf(definition).map(({ target }) => target), ...Object.keys(definition.path_params ?? {})],
    exactIntegers: () => ({ takes: true, gives: true }),
    fingerprint: build,
  });
  const errorWhen = extend.definitionKey('error_when', ErrorWhenSchema, {
    on: 'both',
    executionTypes,
    check: checkErrorWhen,
    fingerprint: build,
  });
  const paginate = extend.definitionKey('paginate', PaginateSchema, {
    executionTypes,
    check: (rule, surroundings) => checkPaginate(rule, execution.of(surroundings), surroundings),
    fingerprint: build,
  });
  const idempotency = extend.definitionKey('idempotency', IdempotencySchema, {
    executionTypes,
    check: (rule, surroundings) => checkIdempotency(rule, execution.of(surroundings)),
    fingerprint: build,
  });
  const retry = extend.definitionKey('retry', RetrySchema, {
    executionTypes,
    check: (rule, surroundings) => checkRetry(rule, execution.of(surroundings), surroundings, idempotency),
    fingerprint: build,
  });
  const repeatAfter401: DefinitionKey<boolean> = extend.definitionKey('repeat_after_401', RepeatAfter401Schema, {
    on: 'provider',
    executionTypes,
    fingerprint: build,
  });
  const saveTo = extend.definitionKey('save_to', SaveToSchema, { executionTypes, check: checkSaveTo, fingerprint: build });
  const select = extend.definitionKey('select', SelectSchema, { executionTypes, check: checkSelect, fingerprint: build });
  const outputHeaders = extend.definitionKey('output_headers', OutputHeadersSchema, {
    executionTypes,
    check: (names, surroundings) => checkOutputHeaders(names, execution.of(surroundings), surroundings),
    fingerprint: build,
  });
  const poll = extend.definitionKey('poll', PollSchema, {
    executionTypes,
    check: (rule, surroundings) => checkPoll(rule, execution.of(surroundings), surroundings),
    fingerprint: build,
  });
  return { execution, errorWhen, paginate, idempotency, retry, repeatAfter401, saveTo, select, outputHeaders, poll };
}
