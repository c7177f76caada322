import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_render_template', () => {
  const shared = sharedToolkit();

  const render = (template: string, data: unknown = {}, more: Record<string, unknown> = {}): Promise<unknown> =>
    shared.toolkit.execute('text_render_template', { template, data, ...more });

  // The sections of the Mustache specification (github.com/mustache/spec) that this covers, with data of our own.
  const cases = [
    { what: 'nothing in an empty template', template: '', data: {}, text: '' },
    {
      what: 'values',
      template: 'Hallo {{ name }}, {{age}}, {{ok}}',
      data: { name: 'Zoë 👋', age: 0, ok: false },
      text: 'Hallo Zoë 👋, 0, false',
    },
    { what: 'members', template: '{{a.b.c}} {{list.1}} {{list.length}}', data: { a: { b: { c: 1 } }, list: ['x', 'y'] }, text: '1 y 2' },
    { what: 'nothing for null', template: '[{{a}}]', data: { a: null }, text: '[]' },
    { what: 'lists and objects as JSON', template: '{{a}} {{b}}', data: { a: [1, 'x'], b: { c: null } }, text: '[1,"x"] {"c":null}' },
    { what: 'an item of a list', template: '{{#list}}<{{.}}>{{/list}}', data: { list: ['ä', 1, true] }, text: '<ä><1><true>' },
    {
      what: 'names from around a section',
      template: '{{#list}}{{n}}{{unit}} {{/list}}',
      data: { unit: 'kg', list: [{ n: 1 }, { n: 2, unit: 'g' }] },
      text: '1kg 2g ',
    },
    { what: 'no name of a text in a section', template: '{{#a}}{{length}}{{/a}}', data: { a: 'abc', length: '100 m' }, text: '100 m' },
    {
      what: 'sections for what is there',
      template: '{{#a}}a{{/a}}{{#b}}b{{/b}}{{#c}}c{{/c}}',
      data: { a: true, b: 'x', c: { d: 1 } },
      text: 'abc',
    },
    {
      what: 'inverted sections',
      template: '{{^a}}a{{/a}}{{^b}}b{{/b}}{{^c}}c{{/c}}{{^d}}d{{/d}}',
      data: { a: false, b: [], c: 0, d: 'x' },
      text: 'abc',
    },
    { what: 'no comments', template: 'a{{! not this }}b', data: {}, text: 'ab' },
    { what: 'other braces', template: '{{=<% %>=}}<%a%>{{a}}', data: { a: 1 }, text: '1{{a}}' },
    { what: 'no lines that hold only a section', template: 'a\n  {{#b}}\nb\n  {{/b}}\nc\n', data: { b: true }, text: 'a\nb\nc\n' },
    {
      what: 'members of any name that are in the data',
      template: '{{__proto__.a}}{{constructor}}{{hasOwnProperty}}',
      data: JSON.parse('{"__proto__":{"a":1},"constructor":2,"hasOwnProperty":3}'),
      text: '123',
    },
  ];
  for (const { what, template, data, text } of cases) {
    it(`writes ${what}`, async () => {
      expect(await render(template, data)).to.deep.equal({ text });
    });
  }

  it('leaves out what has no value, and says which names those are', async () => {
    expect(await render('{{a}}{{b.c}}{{{a}}}{{&d}}{{#e}}e{{/e}}', { b: {} })).to.deep.equal({ text: '', missing: ['a', 'b.c', 'd'] });
  });

  const inherited = [
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    'a.constructor.name',
    'list.map',
    'list.constructor',
    'text.trim',
    'n.toFixed',
    '__proto__.polluted',
  ];
  for (const name of inherited) {
    it(`cannot reach ${name}, which is not in the data`, async () => {
      const data = { a: {}, list: [1], text: 'x', n: 1 };
      expect(await render(`[{{${name}}}]{{#${name}}}shown{{/${name}}}`, data)).to.deep.equal({ text: '[]', missing: [name] });
    });
  }

  it('escapes values for HTML on request only, and never the template', async () => {
    const data = { a: `<b> & "x" 'y' /\`=` };
    expect(await render('<i>{{a}}</i>', data)).to.deep.equal({ text: `<i><b> & "x" 'y' /\`=</i>` });
    expect(await render('<i>{{a}}</i>{{{a}}}{{&a}}', data, { escape: 'html' })).to.deep.equal({
      text: `<i>&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39; &#x2F;&#x60;&#x3D;</i>${data.a}${data.a}`,
    });
  });

  const mistakes = [
    { template: 'a\n b {{> footer}}', says: 'received the partial "footer" in line 2, column 4' },
    { template: '{{#a}}{{> x}}{{/a}}', says: 'received the partial "x" in line 1, column 7' },
    { template: 'a\n{{#s}}', says: 'Unclosed section "s" in line 2, column 7' },
    { template: '{{#a}}{{/b}}', says: 'Unclosed section "a" in line 1, column 7' },
    { template: 'ä {{/s}}', says: 'Unopened section "s" in line 1, column 3' },
    { template: 'x {{name', says: 'Unclosed tag in line 1, column 9' },
    { template: '{{=x=}}', says: 'Invalid tags: x' },
    { template: `${'{{#a}}'.repeat(20_000)}${'{{/a}}'.repeat(20_000)}`, says: 'nested a few levels deep' },
  ];
  for (const { template, says } of mistakes) {
    it(`refuses ${JSON.stringify(template.slice(0, 40))}`, async () => {
      const error = await rejection(render(template, { a: 1 }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "template"').and.to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal('template');
    });
  }

  it('refuses data that is no object', async () => {
    for (const data of ['text', [1], 5]) await rejection(render('{{a}}', data), 'INVALID_PARAMETERS');
  });

  it('refuses a result that is larger than its limit', async () => {
    const list = Array.from({ length: 300 }, () => 'x'.repeat(1000));
    const error = await rejection(render('{{#list}}{{#list}}{{.}}{{/list}}{{/list}}', { list }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('Give a shorter template or less data.');
  });
});
