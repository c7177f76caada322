// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of environment files look like that
import { expect } from 'chai';
import { envFolder } from './env-folder.ts';

const key = `-----BEGIN KEY-----\n${'MIIEvQ=='.repeat(4)}\n-----END KEY-----`;
const long = `a$b{}${'x'.repeat(64 * 1024)}`;

describe('values in an environment file', () => {
  const cases: readonly { what: string; text: string; gives: string | undefined }[] = [
    { what: 'plain', text: 'SHOP_TOKEN=plain', gives: 'plain' },
    { what: 'prefixed, before the plain name', text: 'SHOP_TOKEN=plain\nTOOLKIT_SHOP_TOKEN=prefixed', gives: 'prefixed' },
    { what: 'of the plain name when the prefixed one is empty', text: 'TOOLKIT_SHOP_TOKEN=\nSHOP_TOKEN=plain', gives: 'plain' },
    { what: 'not there when they are empty', text: "TOOLKIT_SHOP_TOKEN=\nSHOP_TOKEN=''", gives: undefined },
    { what: 'not there when no line has the name', text: 'OTHER_TOKEN=other', gives: undefined },
    { what: 'after export', text: 'export SHOP_TOKEN=exported', gives: 'exported' },
    { what: 'in double quotes, with \\n as a line break', text: 'SHOP_TOKEN="a b\\nc"', gives: 'a b\nc' },
    { what: 'in single quotes, as they are', text: 'SHOP_TOKEN=\' a "b" \\n \'', gives: ' a "b" \\n ' },
    { what: 'in backticks', text: 'SHOP_TOKEN=`it\'s "x"`', gives: 'it\'s "x"' },
    { what: 'without the spaces around them', text: '  SHOP_TOKEN =  spaced  ', gives: 'spaced' },
    { what: 'over several lines', text: `SHOP_TOKEN="${key}"\nOTHER=1`, gives: key },
    { what: 'without their comment', text: '# first\nSHOP_TOKEN=value # second', gives: 'value' },
    { what: 'with # in quotes', text: "SHOP_TOKEN='a#b' # comment", gives: 'a#b' },
    { what: 'with = in them', text: 'SHOP_TOKEN=abc==', gives: 'abc==' },
    { what: 'with braces in them', text: 'SHOP_TOKEN={"a":{}}', gives: '{"a":{}}' },
    { what: 'beyond ASCII', text: 'SHOP_TOKEN=schlüssel-鍵-🔑', gives: 'schlüssel-鍵-🔑' },
    { what: 'with Windows line ends', text: 'OTHER=1\r\nSHOP_TOKEN=windows\r\n', gives: 'windows' },
    { what: 'behind a byte order mark', text: '\uFEFFSHOP_TOKEN=marked', gives: 'marked' },
    { what: 'of 64 kB', text: `SHOP_TOKEN='${long.replace('$', '\\$')}'`, gives: long },
    { what: 'the last of several', text: 'SHOP_TOKEN=first\nSHOP_TOKEN=second', gives: 'second' },
  ];
  for (const { what, text, gives } of cases) {
    it(`are read ${what}`, async () => {
      expect(await (await envFolder(text)).value('SHOP_TOKEN')).to.equal(gives);
    });
  }

  for (const name of ['constructor', 'toString', '__proto__']) {
    it(`are not found under ${name}, which every object has`, async () => {
      expect(await (await envFolder('SHOP_TOKEN=plain')).value(name)).to.equal(undefined);
    });
  }
});

describe('references in an environment file', () => {
  const cases: readonly { what: string; text: string; env?: Record<string, string>; gives: string }[] = [
    { what: 'a value above, in braces', text: 'A=one\nSHOP_TOKEN=${A}-two', gives: 'one-two' },
    { what: 'a value above, bare', text: 'A=one\nSHOP_TOKEN=$A', gives: 'one' },
    { what: 'a variable of the environment', text: 'SHOP_TOKEN=${A}', env: { A: 'outside' }, gives: 'outside' },
    { what: 'the file before the environment', text: 'A=one\nSHOP_TOKEN=${A}', env: { A: 'outside' }, gives: 'one' },
    { what: 'the variable of their own name', text: 'SHOP_TOKEN=${SHOP_TOKEN}!', env: { SHOP_TOKEN: 'outside' }, gives: 'outside!' },
    { what: 'a default', text: 'SHOP_TOKEN=${A:-fallback}', gives: 'fallback' },
    { what: 'a default that is a reference', text: 'B=b\nSHOP_TOKEN=${A:-${B}}', gives: 'b' },
    { what: 'another text when something is set', text: 'A=one\nSHOP_TOKEN=${A:+set}', gives: 'set' },
    { what: 'nothing after a backslash', text: "SHOP_TOKEN='a\\$b\\${c}'", gives: 'a$b${c}' },
    { what: 'nothing before a digit or another sign', text: 'SHOP_TOKEN=$2b$10$', gives: '$2b$10$' },
    { what: 'values as they are, not expanded once more', text: 'A=x\nB=a\\$A\\${A}\nSHOP_TOKEN=<${B}>', gives: '<a$A${A}>' },
    { what: 'variables as they are, not expanded once more', text: 'A=x\nSHOP_TOKEN=<$B>', env: { B: "$A$$$&$'" }, gives: "<$A$$$&$'>" },
    { what: 'defaults as they are', text: 'SHOP_TOKEN=${A:-$&$$}', gives: '$&$$' },
    { what: 'nothing that every object has', text: 'SHOP_TOKEN=<$constructor${toString}$__proto__>', gives: '<>' },
    { what: 'nothing below them', text: 'SHOP_TOKEN=<$A>\nA=$SHOP_TOKEN', gives: '<>' },
  ];
  for (const { what, text, env = {}, gives } of cases) {
    it(`mean ${what}`, async () => {
      expect(await (await envFolder(text, { env })).value('SHOP_TOKEN')).to.equal(gives);
    });
  }

  it('never put a variable of the environment in place of what the file says', async () => {
    const { value } = await envFolder('SHOP_TOKEN=file', { env: { SHOP_TOKEN: 'environment' } });
    expect(await value('SHOP_TOKEN')).to.equal('file');
  });

  it('mean the environment of the process unless another one is given', async () => {
    process.env['DOTENV_TEST_HOST'] = 'db.example';
    try {
      const { value } = await envFolder('SHOP_TOKEN=at-${DOTENV_TEST_HOST}', {});
      expect(await value('SHOP_TOKEN')).to.equal('at-db.example');
    } finally {
      delete process.env['DOTENV_TEST_HOST'];
    }
  });

  it('to what is not set are warned about, without the value', async () => {
    const { value, warnings, file } = await envFolder("SHOP_TOKEN='passing-it$word'\nA=${B:-default}\n");
    expect(await value('SHOP_TOKEN')).to.equal('passing-it');
    expect(warnings()).to.deep.equal([
      `${file}: the value of SHOP_TOKEN refers to a variable that is not set, which leaves nothing in its place. Write \\$ for a dollar sign.`,
    ]);
  });
});
