import { expect } from 'chai';
import { Redactor } from '../../../kernel/index.ts';
import { maskInSlices } from '../../../kernel/secrets/mask-in-slices.ts';

const secret = 'planted/secret value-0123456789';

function masking() {
  const redactor = new Redactor();
  redactor.maskAlso('PLANTED', secret);
  return { mask: <T>(value: T): T => redactor.value(value), reach: () => redactor.longest };
}

describe('a large value', () => {
  const text = (length: number): string => 'lorem ipsum '.repeat(length / 12);
  const values: Readonly<Record<string, unknown>> = {
    'a text with secrets at every distance': Array.from({ length: 900 }, (_, n) => `${text(1200 + n)}${secret}`).join(''),
    'a text of nothing but secrets': secret.repeat(40_000),
    'secrets one character apart': `${secret}x`.repeat(40_000),
    'names and values': Object.fromEntries(
      Array.from({ length: 20_000 }, (_, n) => [n % 7 === 0 ? `${secret}${n}` : `k${n}`, n % 5 === 0 ? secret : n]),
    ),
    'names that become the same': Object.fromEntries(
      Array.from({ length: 9000 }, (_, n) => [`${n < 4500 ? secret : encodeURIComponent(secret)}${n % 4500}`, n]),
    ),
    'a large member under a name that is a secret': { [secret]: Array.from({ length: 9000 }, () => secret) },
    'a long text in a list': [1, { a: `${text(600_000)}${secret}${text(600_000)}` }, ...new Array<number>(9000).fill(0)],
  };

  for (const [what, value] of Object.entries(values))
    it(`is masked in slices as it is at once: ${what}`, async () => {
      const { mask, reach } = masking();
      const masked = JSON.stringify(await maskInSlices(value, { mask, reach }));
      expect(masked === JSON.stringify(mask(value))).to.equal(true);
      expect(masked.includes(secret)).to.equal(false);
    });

  it('is masked wherever a secret stands beside the end of a part', async () => {
    const { mask, reach } = masking();
    for (let before = 262_100; before < 262_180; before++) {
      const long = `${'x'.repeat(before)}${secret}${'y'.repeat(900_000)}`;
      expect((await maskInSlices(long, { mask, reach })) === `${'x'.repeat(before)}[secret PLANTED]${'y'.repeat(900_000)}`).to.equal(true);
    }
  });

  it('is itself where there is no secret in it, or none at all', async () => {
    const value = Array.from({ length: 9000 }, (_, n) => ({ n }));
    expect(await maskInSlices(value, masking())).to.equal(value);
    expect(maskInSlices(value, { mask: (one) => one, reach: () => 0 })).to.equal(value);
  });
});
