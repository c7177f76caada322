import { expect } from 'chai';
import type { FieldValue } from '../../../../../plugins/console/page/form/field.ts';
import { fieldsOf } from '../../../../../plugins/console/page/form/fields-of.ts';
import { emptyForm, type FormState, filledForm, submissionOf, switchedForm } from '../../../../../plugins/console/page/form/form-state.ts';
import { parametersToText, parseExactly, textToParameters } from '../../../../../plugins/console/page/form/parameters-text.ts';

const field = fieldsOf({ type: 'object', properties: { count: { type: 'integer' }, note: { type: 'string' }, data: { type: 'object' } } });

function typed(members: Readonly<Record<string, FieldValue>>): FormState {
  return { ...emptyForm(field), value: { kind: 'object', members: new Map(Object.entries(members)), others: '' } };
}

describe('The switch between form and JSON', () => {
  it('keeps what was typed, also what is wrong', () => {
    const form = typed({ count: { kind: 'text', text: '12a' }, data: { kind: 'json', text: '{"a": ' } });
    const json = switchedForm(field, form);
    expect(JSON.parse(json.text)).to.deep.equal({ count: '12a', data: '{"a": ' });
    expect(switchedForm(field, json).value).to.equal(form.value);
  });

  it('keeps wrong parts after an edit of the JSON', () => {
    const json = switchedForm(field, typed({ count: { kind: 'text', text: '12a' }, data: { kind: 'json', text: '{"a": ' } }));
    const back = switchedForm(field, { ...json, text: json.text.replace('{\n', '{\n"note": "new",') });
    expect(back.value).to.deep.include({
      members: new Map<string, FieldValue>([
        ['count', { kind: 'text', text: '12a' }],
        ['note', { kind: 'text', text: 'new' }],
        ['data', { kind: 'json', text: '{"a": ' }],
      ]),
    });
  });

  it('keeps the spaces of the JSON while the form is not changed', () => {
    const text = '{ "count":   3 }';
    const form = switchedForm(field, { ...filledForm(field, {}, 'json'), text });
    expect(form.mode).to.equal('form');
    expect(switchedForm(field, form).text).to.equal(text);
    expect(
      switchedForm(field, { ...form, ...typed({ count: { kind: 'text', text: '4' } }), synced: form.synced ?? { value: form.value, text } })
        .text,
    ).to.equal('{\n  "count": 4\n}');
  });

  it('stays at JSON that is broken or no object, and says why', () => {
    for (const [text, problem] of [
      ['{"a"', /^This is no JSON yet/],
      ['[1]', /must be one JSON object/],
    ] as const) {
      const state = switchedForm(field, { mode: 'json', value: emptyForm(field).value, text });
      expect(state).to.deep.include({ mode: 'json', text });
      expect(state.problem).to.match(problem);
    }
  });

  it('sends what is in the present mode', () => {
    const state = filledForm(field, { count: 1 }, 'form');
    expect(submissionOf(field, state).parameters).to.deep.equal({ count: 1 });
    expect(submissionOf(field, { ...state, mode: 'json', text: '{"count": 2}' }).parameters).to.deep.equal({ count: 2 });
    expect(submissionOf(field, { ...state, mode: 'json', text: '{' }).issues.size).to.equal(1);
  });
});

describe('JSON of the page', () => {
  it('keeps all digits of an integer, outside of texts', () => {
    expect(
      parseExactly('{"a": 9007199254740993, "b": "x 9007199254740993", "c": [-90071992547409931, 1.00000000000000001], "d": 12}'),
    ).to.deep.equal({
      a: '9007199254740993',
      b: 'x 9007199254740993',
      c: ['-90071992547409931', 1],
      d: 12,
    });
  });

  it('refuses a number as a name, also a long one', () => {
    expect(() => parseExactly('{12345678901234567890: 1}')).to.throw(SyntaxError);
  });

  it('takes an empty text for no parameters', () => {
    expect(textToParameters(' \n')).to.deep.equal({ parameters: {} });
    expect(parametersToText(undefined)).to.equal('{}');
  });

  it('names the line of a mistake', () => {
    const parsed = textToParameters('{\n"a": 1,\n"b" 2\n}');
    expect('problem' in parsed && parsed.problem).to.match(/line 3/);
  });
});
