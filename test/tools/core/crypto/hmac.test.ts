import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { readings } from '../../../support/readings.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';
import { optionsWithSecrets, pythonHmac, toolkitWithSecrets } from './signing.ts';

const secret = 'whsec-für-世界-0123456789';
const env = { HOOK_SECRET: secret, OTHER_SECRET: 'another-value', PLAIN_SECRET: 'plain' };
const named = { secret_name: 'HOOK_SECRET' };

const texts = [
  { what: 'an ordinary text', text: '{"event":"paid"}' },
  { what: 'an empty text', text: '' },
  { what: 'a text outside of ASCII', text: 'Grüße, 世界 👩‍👩‍👧\r\n' },
  { what: 'a text of some megabytes', text: 'añ'.repeat(1_000_000) },
];

describe('crypto_hmac_sign', () => {
  const sign = sharedTool('crypto_hmac_sign', optionsWithSecrets(env));

  for (const { what, text } of texts) {
    it(`gives what Python's hmac gives for ${what}`, async () => {
      for (const [algorithm, signature] of Object.entries(pythonHmac(secret, text))) {
        expect(await sign({ text, algorithm, ...named }), algorithm).to.deep.equal({ signature });
        const base64 = Buffer.from(signature, 'hex').toString('base64');
        const output = await sign({ text, algorithm, output: 'base64', ...named });
        expect(output, algorithm).to.deep.equal({ signature: base64 });
      }
    });
  }

  it('gives what openssl prints', async () => {
    const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', 'plain', '-r'], { input: 'line\n', encoding: 'utf8' });
    const output = await sign({ text: 'line\n', secret_name: 'PLAIN_SECRET' });
    expect(output).to.deep.equal({ signature: printed.split(' ')[0] });
  });
});

describe('crypto_hmac_verify', () => {
  const verify = sharedTool('crypto_hmac_verify', optionsWithSecrets(env));

  for (const { what, text } of texts) {
    it(`accepts what Python's hmac gives for ${what}, however it is written`, async () => {
      for (const [algorithm, hex] of Object.entries(pythonHmac(secret, text))) {
        const bytes = Buffer.from(hex, 'hex');
        const base64 = bytes.toString('base64');
        const ways = [hex, hex.toUpperCase(), base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), ` ${hex}\n`];
        for (const signature of ways)
          expect(await verify({ text, signature, algorithm, ...named }), signature).to.deep.equal({
            valid: true,
          });
      }
    });
  }

  const right = pythonHmac(secret, 'text')['sha256'] ?? '';
  const flipped = (right.startsWith('0') ? '1' : '0') + right.slice(1);
  const wrong = [
    { what: 'another text', parameters: { text: 'text ', signature: right } },
    { what: 'a signature with one digit changed', parameters: { text: 'text', signature: flipped } },
    { what: 'another key', parameters: { text: 'text', signature: right, secret_name: 'OTHER_SECRET' } },
    { what: 'another algorithm of the same length', parameters: { text: 'text', signature: right, algorithm: 'sha3-256' } },
  ];
  for (const { what, parameters } of wrong) {
    it(`says that it is not valid for ${what}`, async () => {
      expect(await verify({ ...named, ...parameters })).to.deep.equal({ valid: false });
    });
  }

  const impossible = [
    { signature: `sha256=${right}`, says: 'received 71 characters. Leave out a prefix such as "sha256="' },
    { signature: right.slice(1), says: 'expected 64 hexadecimal digits or 43 base64 characters and padding, received 63 characters' },
    { signature: `${right}0`, says: 'received 65 characters' },
    { signature: right, algorithm: 'sha1', says: 'cannot be an HMAC with sha1: expected 40 hexadecimal digits or 27 base64 characters' },
    { signature: `ü${right.slice(1)}`, says: 'received 64 characters' },
  ];
  for (const { says, ...parameters } of impossible) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}…, which cannot be a signature`, async () => {
      const error = await rejection(verify({ text: 'text', ...named, ...parameters }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.not.include(right.slice(1, 20));
      expect(error.details.issues).to.have.nested.property('[0].path', 'signature');
    });
  }
});

describe('the secret of an HMAC', () => {
  const signature = '0'.repeat(64);
  const tools = [
    ['crypto_hmac_sign', { text: 'x' }],
    ['crypto_hmac_verify', { text: 'x', signature }],
  ] as const;
  for (const [tool, parameters] of tools) {
    const call = sharedTool(tool, optionsWithSecrets(env));

    it(`cannot be used by ${tool} unless the operator lists its name`, async () => {
      const toolkit = await toolkitWithSecrets(env, ['OTHER_SECRET']);
      const { message } = await rejection(toolkit.execute(tool, { ...parameters, ...named }), 'INVALID_PARAMETERS');
      expect(message).to.include('names a secret that it may not use').and.include('OTHER_SECRET').and.include('namedSecrets');
    });

    it(`is missed by ${tool} where no store has it`, async () => {
      const toolkit = await toolkitWithSecrets({}, ['HOOK_SECRET']);
      const { message } = await rejection(toolkit.execute(tool, { ...parameters, ...named }), 'MISSING_PARAMETER');
      expect(message).to.include('HOOK_SECRET');
    });

    it(`is in no answer of ${tool} and in no error`, async () => {
      const toolkit = await toolkitWithSecrets(env);
      const output = await toolkit.execute(tool, { ...parameters, ...named });
      const error = await toolkit.execute(tool, { ...parameters, signature: secret, ...named }).catch((reason: unknown) => reason);
      expect(readings(JSON.stringify([output, error, String(error)]), 2)).to.not.include(secret);
    });

    for (const [mistake, says] of [
      [{ text: 5 }, 'text expected string'],
      [{ text: 'x'.repeat(10_000_001) }, 'text expected to not have more than 10000000 characters'],
      [{ secret_name: '' }, 'secret_name expected'],
      [{ algorithm: 'crc32' }, 'algorithm expected one of "sha256"'],
      [{ secret: 'value' }, 'secret is not known here'],
    ] as const) {
      it(`is not asked for by ${tool} with ${JSON.stringify(mistake).slice(0, 40)}`, async () => {
        const { message } = await rejection(call({ ...parameters, ...named, ...mistake }), 'INVALID_PARAMETERS');
        expect(message).to.include(says);
      });
    }
  }
});
