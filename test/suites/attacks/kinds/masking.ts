import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';

const folder = 'my-tools/masking';
const secret = 'sk_live/4f"9b+Zx&0=7\\qRw8';
const mark = '[secret MASKED_TOKEN]';

/** A tool that gives its own secret back, as a library of its language writes it. */
const definition = (name: string, code: string): string => `name: ${name}
description: Gives what a service might answer.
parameters: { spelling: { type: string, required: true } }
execution: { type: function, code: ${code} }
secrets: [MASKED_TOKEN]
risk: low
`;

const javascript = `
const units = (text, write) => Array.from(text, (one) => write(one, one.charCodeAt(0))).join('');
const lines = (text, width, between) => text.match(new RegExp('.{1,' + width + '}', 'g')).join(between);
const base32 = (bytes) => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('').match(/.{1,5}/g)
  .map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(bits.padEnd(5, '0'), 2)]).join('');
const hex = (text) => Buffer.from(text).toString('hex');
const spellings = {
  encodeURI: (text) => encodeURI(text),
  slashes: (text) => JSON.stringify(text).replaceAll('/', '\\\\/'),
  unicode: (text) => JSON.stringify(text).replace('s', '\\\\u0073'),
  decimal: (text) => units(text, (_, code) => '&#' + code + ';'),
  hexadecimal: (text) => units(text, (_, code) => '&#x' + code.toString(16) + ';'),
  mime: (text) => lines(Buffer.from('and before it ' + text).toString('base64'), 16, '\\r\\n'),
  dump: (text) => lines(hex(text), 2, ' '),
  fingerprint: (text) => lines(hex(text).toUpperCase(), 2, ':'),
  base32: (text) => base32(Buffer.from('a:' + text)),
  nested: (text) => JSON.stringify(JSON.stringify(text).replaceAll('/', '\\\\/')),
  twice: (text) => encodeURIComponent(encodeURI(text)),
  wrapped: (text) => lines(text, 7, '\\n  '),
};
export const run = ({ spelling }, { secrets }) => ({ text: spellings[spelling](secrets.MASKED_TOKEN) });
`;

const python = `import base64, html, json, urllib.parse

SPELLINGS = {
    "quote": lambda text: urllib.parse.quote(text),
    "dumps": lambda text: json.dumps(json.dumps(text)),
    "charref": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "escape": lambda text: html.escape(text),
    "encodebytes": lambda text: base64.encodebytes(b"x" * 40 + text.encode()).decode(),
    "hex": lambda text: text.encode().hex(" "),
    "b32encode": lambda text: base64.b32encode(text.encode()).decode(),
    "repr": lambda text: "".join(f"\\\\x{ord(one):02x}" for one in text),
}


def run(parameters, context):
    return {"text": SPELLINGS[parameters["spelling"]](context.secrets["MASKED_TOKEN"])}
`;

/** `leak` is a part of the spelling that nothing else has. */
const row = (tool: 'js' | 'py', spelling: string, subject: string, leak: RegExp): Attack => ({
  subject,
  attempt: 'a service answers with the credential in its own spelling',
  before: 'it came out unmasked',
  async run(server) {
    const { text, isError } = await server.call(`masking_${tool}`, { spelling });
    expect(isError, text).to.equal(false);
    expect(text).to.include(mark);
    expect(text).not.to.match(leak);
  },
});

export const masking: AttackKind = {
  rule: 'no spelling of a secret comes out',
  files: {
    [`${folder}/masking_js.yaml`]: definition('masking_js', './spell.mjs#run'),
    [`${folder}/masking_py.yaml`]: definition('masking_py', './spell.py#run'),
    [`${folder}/spell.mjs`]: javascript,
    [`${folder}/spell.py`]: python,
  },
  env: { MASKED_TOKEN: secret },
  attacks: [
    row('js', 'encodeURI', 'encodeURI, which leaves a slash as it is', /live\/4f/),
    row('js', 'slashes', 'JSON with its slashes escaped, as PHP writes it', /live\\+\/4f/),
    row('js', 'unicode', 'JSON with one letter as \\u0073', /u0073k_live/),
    row('js', 'decimal', 'decimal character references', /&#108;&#105;&#118;/),
    row('js', 'hexadecimal', 'hexadecimal character references', /&#x6c;&#x69;/),
    row('js', 'mime', 'base64 in the lines of a mail', /c2tfbGl2ZS8|za19saXZl|rX2xpdm/),
    row('js', 'dump', 'bytes with blanks between', /6c 69 76 65/),
    row('js', 'fingerprint', 'bytes with colons between, in capitals', /6C:69:76:65/),
    row('js', 'base32', 'base32 of a longer text', /ME5HG22|5HG22|HG22/),
    row('js', 'nested', 'JSON in JSON', /live\\+\/4f/),
    row('js', 'twice', 'encodeURIComponent of encodeURI', /live%2F4f/),
    row('js', 'wrapped', 'a value that is wrapped over lines', /sk_live/),
    row('py', 'quote', 'urllib.parse.quote of Python', /live\/4f/),
    row('py', 'dumps', 'json.dumps of json.dumps', /live\/4f/),
    row('py', 'charref', 'xmlcharrefreplace', /&#108;&#105;/),
    row('py', 'escape', 'html.escape', /live\/4f&quot;/),
    row('py', 'encodebytes', 'base64.encodebytes, which breaks lines', /c2tfbGl2ZS8|za19saXZl|rX2xpdm/),
    row('py', 'hex', 'bytes.hex with a separator', /6c 69 76 65/),
    row('py', 'b32encode', 'base64.b32encode', /ONVV63DJ/),
    row('py', 'repr', 'bytes as \\x73', /x6c\\+x69/),
  ],
};
