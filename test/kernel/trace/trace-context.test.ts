import { expect } from 'chai';
import { traceContext } from '../../../kernel/index.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const valid = `00-${trace}-${span}-01`;

describe('the place in a trace, as others send it', () => {
  const accepted: readonly { readonly title: string; readonly given: unknown; readonly kept?: string }[] = [
    { title: 'sampled', given: valid },
    { title: 'not sampled', given: `00-${trace}-${span}-00` },
    { title: 'flags of later versions', given: `00-${trace}-${span}-ff` },
    { title: 'a later version', given: `01-${trace}-${span}-01`, kept: valid },
    { title: 'a later version with more fields', given: `cc-${trace}-${span}-01-what-the-future-will-be-like`, kept: valid },
    { title: 'a later version with an empty field', given: `cc-${trace}-${span}-01-`, kept: valid },
  ];
  for (const { title, given, kept = given } of accepted)
    it(`is read in version 00: ${title}`, () => expect(traceContext({ traceparent: given })).to.deep.equal({ traceparent: kept }));

  const refused: Readonly<Record<string, unknown>> = {
    nothing: undefined,
    'an empty text': '',
    'a number': 7,
    'a list': [valid],
    'version ff': `ff-${trace}-${span}-01`,
    'a trace id of zeros': `00-${'0'.repeat(32)}-${span}-01`,
    'a span id of zeros': `00-${trace}-${'0'.repeat(16)}-01`,
    'upper case': valid.toUpperCase(),
    'a trace id in upper case': `00-${trace.toUpperCase()}-${span}-01`,
    'other characters': `00-${trace.replace('4', 'g')}-${span}-01`,
    'a short trace id': `00-${trace.slice(1)}-${span}-01`,
    'a long span id': `00-${trace}-${span}0-01`,
    'no flags': `00-${trace}-${span}`,
    'version 00 with more fields': `${valid}-more`,
    'version 00 with a hyphen at its end': `${valid}-`,
    'a later version with more and no hyphen': `cc-${trace}-${span}-01.what`,
    'a line break at its end': `${valid}\n`,
    'spaces around it': ` ${valid} `,
  };
  for (const [title, given] of Object.entries(refused))
    it(`is refused: ${title}`, () => expect(traceContext({ traceparent: given, tracestate: 'a=1' })).to.equal(undefined));

  const states: readonly { readonly title: string; readonly given: unknown; readonly isKept: boolean }[] = [
    { title: 'of one vendor', given: 'congo=t61rcWkgMzE', isKept: true },
    { title: 'of several vendors', given: 'rojo=00f067aa0ba902b7, congo=t61rcWkgMzE', isKept: true },
    { title: 'with a tab', given: 'a=1,\tb=2', isKept: true },
    { title: 'of 512 characters', given: `a=${'x'.repeat(510)}`, isKept: true },
    { title: 'of 513 characters', given: `a=${'x'.repeat(511)}`, isKept: false },
    { title: 'beyond ASCII', given: 'a=ü', isKept: false },
    { title: 'with a line break', given: 'a=1\r\nb: 2', isKept: false },
    { title: 'that is empty', given: '', isKept: false },
    { title: 'that is no text', given: { a: 1 }, isKept: false },
  ];
  for (const { title, given, isKept } of states)
    it(`${isKept ? 'keeps' : 'drops'} a tracestate ${title}`, () =>
      expect(traceContext({ traceparent: valid, tracestate: given })).to.deep.equal({
        traceparent: valid,
        ...(isKept ? { tracestate: given } : {}),
      }));
});
