import { expect } from 'chai';
import { connectionFailure } from '../../../../tools/core/net/connection-failure.ts';

function failed(...codes: readonly string[]): AggregateError {
  return new AggregateError(codes.map((code) => Object.assign(new Error(code), { code })));
}

describe('why there is no connection', () => {
  const cases = [
    { codes: ['ECONNREFUSED'], is: 'refused' },
    { codes: ['ECONNRESET'], is: 'refused' },
    { codes: ['ETIMEDOUT'], is: 'timeout' },
    { codes: ['EHOSTUNREACH'], is: 'unreachable' },
    { codes: ['ENETUNREACH'], is: 'unreachable' },
    { codes: ['EMFILE'], is: 'failed' },
    { codes: [], is: 'failed' },
    { codes: ['ENETUNREACH', 'ECONNREFUSED'], is: 'refused' },
    { codes: ['ENETUNREACH', 'ETIMEDOUT'], is: 'timeout' },
    { codes: ['EMFILE', 'EADDRNOTAVAIL'], is: 'unreachable' },
  ];
  for (const { codes, is } of cases) {
    it(`is "${is}" when the addresses say ${codes.join(' and ') || 'nothing'}`, () => {
      expect(connectionFailure(failed(...codes))).to.equal(is);
    });
  }

  it('is told of a single error too', () => {
    expect(connectionFailure(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).to.equal('refused');
  });
});
