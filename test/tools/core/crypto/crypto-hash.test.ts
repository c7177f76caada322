import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';

const algorithms = { sha256: 64, sha512: 128, sha1: 40, md5: 32, 'sha3-256': 64 } as const;

/** Returns the digests of Python's hashlib, by algorithm, in hexadecimal. */
function pythonDigests(text: string): Record<string, string> {
  const digests = '{a: hashlib.new(a.replace("sha3-", "sha3_"), given[0].encode()).hexdigest() for a in given[1]}';
  return pythonValue(digests, [text, Object.keys(algorithms)], 'import hashlib');
}

describe('crypto_hash', () => {
  const hash = sharedTool<{ readonly digest: string }>('crypto_hash');

  const texts = [
    { what: 'an ordinary text', text: 'The quick brown fox jumps over the lazy dog' },
    { what: 'an empty text', text: '' },
    { what: 'a text outside of ASCII', text: 'Grüße, 世界 👩‍👩‍👧 \u0000\r\n' },
    { what: 'a text of some megabytes', text: 'añ'.repeat(1_000_000) },
  ];
  for (const { what, text } of texts) {
    it(`gives what hashlib gives for ${what}`, async () => {
      for (const [algorithm, digest] of Object.entries(pythonDigests(text))) {
        expect(await hash({ text, algorithm }), algorithm).to.deep.equal({ digest });
        const base64 = Buffer.from(digest, 'hex').toString('base64');
        expect(await hash({ text, algorithm, output: 'base64' }), algorithm).to.deep.equal({ digest: base64 });
      }
    });
  }

  it('gives what sha256sum prints when nothing but the text is given', async () => {
    const printed = execFileSync('sha256sum', [], { input: 'line\n', encoding: 'utf8' }).split(' ')[0];
    expect(await hash({ text: 'line\n' })).to.deep.equal({ digest: printed });
  });

  for (const [algorithm, length] of Object.entries(algorithms)) {
    it(`writes ${algorithm} as ${length} hexadecimal digits`, async () => {
      const { digest } = await hash({ text: 'x', algorithm });
      expect(digest)
        .to.match(/^[0-9a-f]+$/)
        .and.to.have.length(length);
    });
  }

  it('takes a lone surrogate for the replacement character', async () => {
    const lone = await hash({ text: 'a\ud800' });
    expect(lone).to.deep.equal({ digest: pythonDigests('a\ufffd')['sha256'] });
  });

  const mistakes = [
    { parameters: {}, says: 'text is required' },
    { parameters: { text: 'x', algorithm: 'crc32' }, says: 'algorithm expected one of "sha256"' },
    { parameters: { text: 'x', output: 'base32' }, says: 'output expected one of "hex", "base64"' },
    { parameters: { text: 'x'.repeat(10_000_001) }, says: 'text expected to not have more than 10000000 characters' },
    { parameters: { text: 5 }, says: 'text expected string, received number 5' },
  ];
  for (const { parameters, says } of mistakes) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      const error = await rejection(hash(parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }
});
