import { expect } from 'chai';
import { stopsAlone } from '../../../support/stops-alone.ts';

const text = `${'a'.repeat(60)}!`;
const pattern = '^(a+)+$';
const list = Array.from({ length: 100 }, (_, index) => index + 1);

const stuck = [
  { tool: 'text_regex_match', harmless: { text, pattern: 'b' }, endless: { text, pattern } },
  { tool: 'text_regex_replace', harmless: { text, pattern: 'b', replacement: '' }, endless: { text, pattern, replacement: '' } },
  { tool: 'text_split', harmless: { text, separator: 'b' }, endless: { text, separator: pattern, regex: true } },
  {
    tool: 'text_render_template',
    harmless: { template: '', data: {} },
    endless: { template: `${'{{#list}}'.repeat(20)}${'{{/list}}'.repeat(20)}`, data: { list } },
  },
];

describe('text tools that could run for years', () => {
  for (const { tool, harmless, endless } of stuck) {
    it(`${tool} ends with TIMEOUT, and other calls are answered meanwhile`, () =>
      stopsAlone(['text', 'encode'], tool, {
        harmless,
        endless,
        meanwhile: async (toolkit) => {
          expect(await toolkit.execute('text_count', { text })).to.include({ characters: 61 });
          expect(await toolkit.execute('encode_base64', { text: 'a' })).to.deep.equal({ encoded: 'YQ==' });
        },
      }));
  }
});
