import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import { isFailedRequest } from '../../../plugins/limit-circuit/failure.ts';

const coded = (code: string): Error => Object.assign(new Error(code), { code });
const thrown = (cause: unknown): Error => new TypeError('fetch failed', { cause });

describe('what a request throws', () => {
  const cases: readonly { title: string; error: unknown; aborted?: unknown; failed: boolean }[] = [
    { title: 'a refused connection', error: thrown(coded('ECONNREFUSED')), failed: true },
    {
      title: 'refused connections to every address of a name',
      error: thrown(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })),
      failed: true,
    },
    { title: 'a name that nobody knows', error: thrown(coded('ENOTFOUND')), failed: true },
    { title: 'a certificate that has expired', error: thrown(coded('CERT_HAS_EXPIRED')), failed: true },
    { title: 'headers that did not come in time', error: thrown(coded('UND_ERR_HEADERS_TIMEOUT')), failed: true },
    { title: 'a cause of the cause', error: thrown(new Error('outer', { cause: coded('ECONNRESET') })), failed: true },
    {
      title: 'the time limit of the definition',
      error: new Error('aborted'),
      aborted: new ToolkitError('TIMEOUT', 'late', { hook: 'execute', timeoutMs: 1000 }),
      failed: true,
    },
    {
      title: 'a time limit that a caller asked for',
      error: new Error('aborted'),
      aborted: new ToolkitError('TIMEOUT', 'late', { timeoutMs: 1 }),
      failed: false,
    },
    {
      title: 'a time limit that a handler sets',
      error: new Error('aborted'),
      aborted: new DOMException('late', 'TimeoutError'),
      failed: false,
    },
    {
      title: 'the end of a call that was cancelled',
      error: thrown(coded('ECONNRESET')),
      aborted: new ToolkitError('ABORTED', 'cancelled'),
      failed: false,
    },
    {
      title: 'the end of a request that the tool gave up',
      error: new DOMException('gone', 'AbortError'),
      aborted: new DOMException('gone', 'AbortError'),
      failed: false,
    },
    { title: 'a reason that is no error', error: 'gone', aborted: 'gone', failed: false },
    { title: 'a refusal of a plugin', error: new ToolkitError('OUTBOUND_BLOCKED', 'no'), failed: false },
    { title: 'a refusal of a plugin inside', error: thrown(new ToolkitError('OUTBOUND_BLOCKED', 'no')), failed: false },
    { title: 'a request that cannot be sent', error: thrown(new Error('unknown scheme')), failed: false },
    { title: 'a mistake of the tool', error: new TypeError('x is not a function'), failed: false },
    { title: 'no error', error: undefined, failed: false },
  ];
  for (const { title, error, aborted, failed } of cases) {
    it(`${failed ? 'is a failure of the service' : 'says nothing about the service'}: ${title}`, () => {
      expect(isFailedRequest(error, aborted === undefined ? undefined : AbortSignal.abort(aborted))).to.equal(failed);
    });
  }
});
