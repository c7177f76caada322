import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_render_template', () => {
  const shared = sharedToolkit();

  const render = (template: string, data: unknown = {}, more: Record<string, unknown> = {}): Promise<unknown> =>
    shared.toolkit.execute('text_render_template', { template, data, ...more });

  // The sections of the Mustache specification (github.com/mustache/spec) that this covers, with data of our own.
  const cases: readonly {
    readonly what: string;
    readonly template: string;
    readonly data: unknown;
    readonly text: string;
    readonly missing?: readonly string[];
  }[] = [
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
      what: 'nothing of a farther name',
      template: '{{#a}}[{{b.c}}]{{/a}}',
      data: { a: { b: {} }, b: { c: 1 } },
      text: '[]',
      missing: ['b.c'],
    },
    {
      what: 'nothing of a farther name in three levels',
      template: '{{#a}}{{#b}}{{c.d.e}}|{{c.d.f}}{{/b}}{{/a}}',
      data: { c: { d: { e: 1 } }, a: { c: { d: { f: 2 } }, b: [{}] } },
      text: '|2',
      missing: ['c.d.e'],
    },
    {
      what: 'nothing where a nearer name is null',
      template: '{{#a}}{{b.c}}{{/a}}',
      data: { a: { b: null }, b: { c: 1 } },
      text: '',
      missing: ['b.c'],
    },
    {
      what: 'a section of a nearer name alone',
      template: '{{#a}}{{#b.c}}x{{/b.c}}{{^b.c}}y{{/b.c}}{{/a}}',
      data: { a: { b: {} }, b: { c: 1 } },
      text: 'y',
    },
    {
      what: 'members of a farther name where no nearer one is',
      template: '{{#a}}{{b.c}}{{/a}}',
      data: { a: { x: 1 }, b: { c: 1 } },
      text: '1',
    },
    { what: 'no name with a dot in it', template: '{{a.b}}', data: { 'a.b': 1, a: { b: 2 } }, text: '2' },
    { what: 'a text as the whole', template: 'Hallo {{.}}!', data: 'Zoë', text: 'Hallo Zoë!' },
    { what: 'a number as the whole', template: '{{.}} km', data: 85, text: '85 km' },
    { what: 'nothing as the whole', template: '[{{.}}]{{^.}}none{{/.}}', data: null, text: '[]none' },
    { what: 'a list as the whole', template: '{{#.}}<{{n}}>{{/.}}{{1.n}}', data: [{ n: 'a' }, { n: 'b' }], text: '<a><b>b' },
    {
      what: 'data that came as its JSON',
      template: '{{a}}{{#b}}{{.}}{{/b}}',
      data: ' {"a": 12345678901234567890, "b": [1]}',
      text: '123456789012345678901',
    },
    { what: 'a text that only looks like JSON', template: '{{.}}', data: '[x]', text: '[x]' },
    {
      what: 'members of any name that are in the data',
      template: '{{__proto__.a}}{{constructor}}{{hasOwnProperty}}',
      data: JSON.parse('{"__proto__":{"a":1},"constructor":2,"hasOwnProperty":3}'),
      text: '123',
    },
  ];
  for (const { what, template, data, text, missing } of cases) {
    it(`writes ${what}`, async () => {
      expect(await render(template, data)).to.deep.equal({ text, ...(missing === undefined ? {} : { missing }) });
    });
  }

  const withPartials: readonly {
    readonly what: string;
    readonly template: string;
    readonly data?: unknown;
    readonly partials: Readonly<Record<string, string>>;
    readonly text: string;
    readonly missing?: readonly string[];
  }[] = [
    { what: 'in a line', template: 'a {{> b}} c', partials: { b: 'B' }, text: 'a B c' },
    {
      what: 'in the data of its section',
      template: '{{#l}}{{>b}}{{/l}}',
      data: { l: [{ n: 1 }, { n: 2 }] },
      partials: { b: '<{{n}}>' },
      text: '<1><2>',
    },
    { what: 'in another', template: '{{>a}}', data: { x: 1 }, partials: { a: '[{{>b}}]', b: '{{x}}' }, text: '[1]' },
    {
      what: 'in itself, for each node of a tree',
      template: '{{>n}}',
      data: {
        v: 1,
        c: [
          { v: 2, c: [{ v: 3, c: [] }] },
          { v: 4, c: [] },
        ],
      },
      partials: { n: '{{v}}({{#c}}{{>n}}{{/c}})' },
      text: '1(2(3())4())',
    },
    { what: 'that is not given, as nothing', template: '[{{>a}}{{> b.c }}{{>a}}]', partials: {}, text: '[]', missing: ['> a', '> b.c'] },
    {
      what: 'of a name that every object has',
      template: '[{{>toString}}{{>__proto__}}]',
      partials: {},
      text: '[]',
      missing: ['> toString', '> __proto__'],
    },
    {
      what: 'with braces of its own',
      template: '{{>a}}{{=| |=}}|>a||x|{{x}}',
      data: { x: 1 },
      partials: { a: '{{x}}{{=< >=}}<x>' },
      text: '11111{{x}}',
    },
    { what: 'indented where it stands alone', template: 'a\n  {{>b}}\nc', partials: { b: '1\n\n2\n' }, text: 'a\n  1\n\n  2\nc' },
    { what: 'indented twice', template: ' {{>a}}\n', partials: { a: 'x\n\t{{>b}}\n', b: 'y\nz\n' }, text: ' x\n \ty\n \tz\n' },
    { what: 'whose values are not indented', template: ' {{>a}}\n', data: { v: '1\n2' }, partials: { a: '{{v}}\n' }, text: ' 1\n2\n' },
    { what: 'alone in the last line', template: 'a\n  {{>b}}', partials: { b: '1\n2' }, text: 'a\n  1\n  2' },
    {
      what: 'alone in a line that ends with CRLF',
      template: 'a\r\n {{>b}} \r\nc',
      partials: { b: '1\r\n2\r\n' },
      text: 'a\r\n 1\r\n 2\r\nc',
    },
    {
      what: 'behind a value, without an indentation',
      template: ' {{v}} {{>b}}\n',
      data: { v: '|' },
      partials: { b: '1\n2' },
      text: ' | 1\n2\n',
    },
    { what: 'beside another in its line', template: ' {{>a}} {{>b}} \nc', partials: { a: '1\n2', b: '3' }, text: ' 1\n2 3 \nc' },
    {
      what: 'in a line with the tags of its section',
      template: '{{#v}} {{>a}} {{/v}}\nc',
      data: { v: true },
      partials: { a: '1' },
      text: ' 1 \nc',
    },
    {
      what: 'beside a character for private use',
      template: '\ue000\ue000{{>a}}\ue000{{>a}} {{>a}}\ue000\n',
      partials: { a: '1\ue000' },
      text: '\ue000\ue0001\ue000\ue0001\ue000 1\ue000\ue000\n',
    },
    { what: 'before a text, without an indentation', template: '  {{>b}} c\n', partials: { b: '1\n2' }, text: '  1\n2 c\n' },
  ];
  for (const { what, template, data = {}, partials, text, missing } of withPartials)
    it(`writes a partial ${what}`, async () => {
      expect(await render(template, data, { partials })).to.deep.equal({ text, ...(missing === undefined ? {} : { missing }) });
    });

  it('escapes what partials show, like all else', async () => {
    const given = { partials: { a: '<i>{{x}}{{{x}}}</i>' }, escape: 'html' };
    expect(await render('{{>a}}', { x: '&' }, given)).to.deep.equal({ text: '<i>&amp;&</i>' });
  });

  const wrongPartials = [
    { partials: { a: '{{>a}}' }, path: 'partials', says: '"a" contains itself' },
    { partials: { a: '{{>b}}', b: '{{#x}}{{>a}}{{/x}}' }, path: 'partials', says: 'at most 100 deep' },
    { partials: { a: '{{>a}}{{>a}}' }, path: 'partials', says: '"a" contains itself' },
    { partials: { a: '', b: 'x\n{{#y}}' }, path: 'partials.b', says: 'Unclosed section "y" in line 2, column 7' },
    { partials: { a: '{{x' }, path: 'partials.a', says: 'Unclosed tag in line 1, column 4' },
  ];
  for (const { partials, path, says } of wrongPartials)
    it(`refuses the partials ${JSON.stringify(partials)}`, async () => {
      const error = await rejection(render('{{>a}}', { x: 1 }, { partials }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "${path}"`).and.to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal(path);
    });

  it('refuses a result of partials that is larger than its limit', async () => {
    const partials = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, `{{>p${index + 1}}}{{>p${index + 1}}}`]));
    await rejection(render('{{>p0}}', {}, { partials: { ...partials, p40: 'x'.repeat(1000) } }), 'OUTPUT_TOO_LARGE');
  });

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
    {
      template: 'a\n b {{> footer}}',
      says: 'received the partial "footer" in line 2, column 4, but no partials. Give its text in partials',
    },
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

  it('refuses a result that is larger than its limit', async () => {
    const list = Array.from({ length: 300 }, () => 'x'.repeat(1000));
    const error = await rejection(render('{{#list}}{{#list}}{{.}}{{/list}}{{/list}}', { list }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('Give a shorter template or less data.');
  });
});
