import { isPlainObject } from '../../../../kernel/index.ts';
import { type Change, pointer } from './change.ts';

type Members = Readonly<Record<string, unknown>>;

/** HTTP methods that are safe to repeat (RFC 9110, 9.2.2). */
const repeatable = new Set(['get', 'head', 'options', 'put', 'delete']);

/** Informative keys that have no counterpart here. They get the prefix `x-`. */
const notes = ['notes', 'deprecated', 'deprecation_message'];
const notesOfAuthentication = ['location', 'name', 'required', 'notes'];

/** Returns the changes that turn an earlier tool definition into the current form. */
export function toolChanges(tool: Members): readonly Change[] {
  const { execution, examples, authentication, parameters } = tool;
  return [
    ...notes.filter((key) => key in tool).map((key) => renamed([], key, `x-${key}`)),
    ...(isPlainObject(parameters) ? parametersChanges(parameters) : []),
    ...(Array.isArray(examples)
      ? examples.flatMap((example, index) => (isPlainObject(example) ? exampleChanges(example, index) : []))
      : []),
    ...(isPlainObject(execution) ? executionChanges(execution) : []),
    ...(isPlainObject(authentication) ? authenticationChanges(authentication, isPlainObject(execution) ? execution : {}) : []),
    ...retryChanges(tool),
    ...rateChanges(tool),
  ];
}

function renamed(path: readonly (string | number)[], key: string, to: string): Change {
  return { from: pointer(...path, key), to: pointer(...path, to) };
}

function parametersChanges(parameters: Members): readonly Change[] {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    if (!isPlainObject(parameter) || !Array.isArray(parameter['examples'])) return [];
    const parameterPointer = pointer('parameters', name);
    return [{ from: `${parameterPointer}/examples`, to: `${parameterPointer}/example`, value: parameter['examples'][0] as unknown }];
  });
}

function exampleChanges(example: Members, index: number): readonly Change[] {
  const path = ['examples', index];
  return [
    ...('params' in example ? [renamed(path, 'params', 'parameters')] : []),
    ...('name' in example ? [renamed(path, 'name', 'description' in example ? 'x-name' : 'description')] : []),
    ...('expected_result' in example ? [renamed(path, 'expected_result', 'x-expected_result')] : []),
  ];
}

function executionChanges({ type, method, timeout }: Members): readonly Change[] {
  const small = typeof method === 'string' ? method.toLowerCase() : method;
  return [
    ...(type === 'http' && small !== method ? [{ from: '/execution/method', to: '/execution/method', value: small }] : []),
    ...(typeof timeout === 'number' ? [renamed(['execution'], 'timeout', 'timeout_ms')] : []),
  ];
}

function authenticationChanges(authentication: Members, { type }: Members): readonly Change[] {
  const { username_env: username, password_env: password } = authentication;
  const isSent = type === 'http' && typeof username === 'string' && typeof password === 'string';
  return [
    ...('scopes' in authentication ? [renamed(['authentication'], 'scopes', 'required_scopes')] : []),
    ...notesOfAuthentication.filter((key) => key in authentication).map((key) => renamed(['authentication'], key, `x-${key}`)),
    ...(isSent ? basicChanges(username, password) : []),
  ];
}

/** Returns the changes for HTTP basic authentication (RFC 7617). The operator supplies both values, whatever they are called. */
function basicChanges(username: string, password: string): readonly Change[] {
  const from = { username: '/authentication/username_env', password: '/authentication/password_env' };
  const supplied = (what: string) => ({
    type: 'string',
    required: true,
    auth: true,
    description: `The ${what} of HTTP basic authentication.`,
  });
  return [
    { from: from.username, to: pointer('parameters', username), value: supplied('user name') },
    { from: from.password, to: pointer('parameters', password), value: supplied('password') },
    { from: from.username, to: '/execution/auth', value: { type: 'basic', username: `{${username}}`, password: `{${password}}` } },
  ];
}

/** Returns the change of retry settings. The old key counted only repeats; `retry` counts all requests, and is for http tools only. */
function retryChanges({ execution, error_handling: written }: Members): readonly Change[] {
  if (!isPlainObject(written)) return [];
  const { retry = 0, initial_delay_ms: initial = 1000, max_delay_ms: maximum, retry_on_status: on } = written;
  const { type, method } = isPlainObject(execution) ? execution : ({} as Members);
  const isRepeated = type === 'http' && repeatable.has(String(method).toLowerCase()) && typeof retry === 'number' && retry > 0;
  if (!isRepeated) return [{ from: '/error_handling', to: '/x-error_handling' }];
  const value = {
    attempts: Math.min(Math.floor(retry) + 1, 10),
    backoff: { initial_ms: initial, ...(maximum === undefined ? {} : { maximum_ms: maximum }) },
    ...(on === undefined ? {} : { on }),
  };
  return [{ from: '/error_handling', to: '/retry', value }];
}

function rateChanges({ rate_limiting: written }: Members): readonly Change[] {
  if (!isPlainObject(written)) return [];
  const { enabled, requests_per_minute: requests } = written;
  const isLimited = enabled !== false && typeof requests === 'number';
  if (!isLimited) return [{ from: '/rate_limiting', to: '/x-rate_limiting' }];
  return [{ from: '/rate_limiting', to: '/rate_limit', value: { requests, per_ms: 60_000 } }];
}
