import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';

/** Version, variant and milliseconds of each UUID, as Python's uuid module reads them. */
function pythonUuids(uuids: readonly string[]): { version: number; variant: string; ms: number }[] {
  const read = '{"version": u.version, "variant": u.variant, "ms": u.int >> 80}';
  return pythonValue(`[${read} for u in map(uuid.UUID, given)]`, uuids, 'import uuid');
}

describe('crypto_uuid', () => {
  const call = sharedTool<{ readonly uuids: readonly string[] }>('crypto_uuid');
  const uuids = async (parameters: object): Promise<readonly string[]> => (await call({ ...parameters })).uuids;

  it('gives one UUID of version 7 with the time of the call when nothing is given', async () => {
    const before = Date.now();
    const made = await uuids({});
    const [parsed] = pythonUuids(made);
    expect(made).to.have.length(1);
    expect(parsed).to.include({ version: 7, variant: 'specified in RFC 4122' });
    expect(parsed?.ms).to.be.within(before, Date.now() + 1);
  });

  it('gives a thousand UUIDs of version 7 in ascending order', async () => {
    const made = await uuids({ count: 1000 });
    expect(new Set(made)).to.have.property('size', 1000);
    expect([...made].sort()).to.deep.equal(made);
  });

  it('gives random UUIDs of version 4, which have no order', async () => {
    const made = await uuids({ version: 4, count: 1000 });
    expect(new Set(made)).to.have.property('size', 1000);
    expect([...made].sort()).to.not.deep.equal(made);
    for (const { version, variant } of pythonUuids(made))
      expect({ version, variant }).to.deep.equal({ version: 4, variant: 'specified in RFC 4122' });
  });

  for (const [parameters, says] of [
    [{ version: 1 }, 'version expected one of 4, 7'],
    [{ version: '7' }, 'version expected'],
    [{ count: 0 }, 'count expected'],
    [{ count: 1001 }, 'count expected'],
  ] as const) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      expect((await rejection(uuids(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});

const symbols = '!#%*+-.:=?@_';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const alphabets: Readonly<Record<string, string>> = {
  alphanumeric: `${letters}0123456789`,
  hex: '0123456789abcdef',
  url_safe: `${letters}0123456789-_`,
  digits: '0123456789',
  password: `${letters}0123456789${symbols}`,
};

/** How far the counts of characters are from equal, as a share of what pure chance exceeds once in some billions of times. */
function unevenness(text: string, alphabet: string): number {
  const expected = text.length / alphabet.length;
  const counts = Array.from(alphabet, (character) => text.split(character).length - 1);
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const freedom = alphabet.length - 1;
  return chiSquare / (freedom + 6 * Math.sqrt(2 * freedom) + 36);
}

describe('crypto_random_string', () => {
  const call = sharedTool<{ readonly values: readonly string[] }>('crypto_random_string');
  const values = async (parameters: object): Promise<readonly string[]> => (await call({ ...parameters })).values;

  it('gives one string of 32 letters and digits when nothing is given', async () => {
    const made = await values({});
    expect(made).to.have.length(1);
    expect(made[0]).to.match(/^[A-Za-z0-9]{32}$/);
  });

  for (const [alphabet, characters] of Object.entries(alphabets)) {
    it(`draws from all ${characters.length} characters of ${alphabet} and from no other, equally often`, async () => {
      const made = await values({ alphabet, length: 1024, count: 100 });
      expect(made.map(({ length }) => length)).to.deep.equal(Array(100).fill(1024));
      const text = made.join('');
      expect([...new Set(text)].sort()).to.deep.equal([...characters].sort());
      expect(unevenness(text, characters)).to.be.below(1);
    });
  }

  it('gives passwords in which each class has a character, even at the shortest', async () => {
    for (const length of [4, 5, 12]) {
      for (const password of await values({ alphabet: 'password', length, count: 100 })) {
        expect(password).to.have.length(length);
        expect(password)
          .to.match(/[A-Z]/)
          .and.match(/[a-z]/)
          .and.match(/[0-9]/)
          .and.match(/[^A-Za-z0-9]/);
      }
    }
  });

  it('gives each class of a short password every place', async () => {
    const made = await values({ alphabet: 'password', length: 4, count: 100 });
    for (const place of [0, 1, 2, 3]) expect(made.some((password) => /[0-9]/.test(password[place] ?? ''))).to.equal(true);
  });

  it('gives strings that all differ', async () => {
    expect(new Set(await values({ count: 100 }))).to.have.property('size', 100);
  });

  it('gives a string of one character', async () => {
    expect((await values({ length: 1, alphabet: 'digits' }))[0]).to.match(/^[0-9]$/);
  });

  for (const [parameters, says] of [
    [{ length: 0 }, 'length expected'],
    [{ length: 1025 }, 'length expected'],
    [{ count: 101 }, 'count expected'],
    [{ alphabet: 'emoji' }, 'alphabet expected one of "alphanumeric"'],
    [{ alphabet: 'password', length: 3 }, 'expected at least 4 for a password, which has a character of each class, received 3'],
  ] as const) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      expect((await rejection(values(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
