import { expect } from 'chai';
import { jsonText } from '../../../../plugins/shared/text/json-text.ts';

describe('JSON for programs', () => {
  it('holds nothing that would steer a terminal, and means the same', () => {
    const value = { 'a\u009b2J': ['\u202e', '\u007f', '\u{e0041}', '\u001b]0;x\u0007', '\n', 'ä'] };
    const text = jsonText(value);
    expect(text).to.match(/^[\n -~ä]*$/);
    expect(JSON.parse(text)).to.deep.equal(value);
    expect(text).to.equal(
      '{\n  "a\\u009b2J": [\n    "\\u202e",\n    "\\u007f",\n    "\\udb40\\udc41",\n    "\\u001b]0;x\\u0007",\n    "\\n",\n    "ä"\n  ]\n}\n',
    );
  });
});
