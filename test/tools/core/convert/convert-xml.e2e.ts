import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { xmlToJson } from '../../../../tools/core/convert/xml-to-json.ts';
import { python } from '../../../support/python.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('convert_xml_to_json', () => {
  const shared = sharedToolkit();

  async function read(text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return ((await shared.toolkit.execute('convert_xml_to_json', { text, ...more })) as { data: unknown }).data;
  }

  const cases: readonly { readonly what: string; readonly text: string; readonly more?: object; readonly data: unknown }[] = [
    { what: 'an empty element', text: '<a/>', data: { a: '' } },
    { what: 'values as texts', text: '<a><b>007</b><c>true</c><d>1e3</d></a>', data: { a: { b: '007', c: 'true', d: '1e3' } } },
    { what: 'attributes', text: `<a x="1" y='"2"'><b z=""/></a>`, data: { a: { '@x': '1', '@y': '"2"', b: { '@z': '' } } } },
    { what: 'text beside attributes', text: '<a x="1">t</a>', data: { a: { '@x': '1', '#text': 't' } } },
    {
      what: 'repeated elements as a list, in order',
      text: '<a><b>1</b><c/><b x="y"/><b>3</b></a>',
      data: { a: { b: ['1', { '@x': 'y' }, '3'], c: '' } },
    },
    {
      what: 'text between elements, put together',
      text: '<p>one <b>two</b> three<!-- no --> four</p>',
      data: { p: { '#text': 'one  three four', b: 'two' } },
    },
    { what: 'layout as nothing', text: '\n<a>\n  <b>1</b>\n</a>\n', data: { a: { b: '1' } } },
    { what: 'white space in an element without others as text', text: '<a> <b> x </b></a>', data: { a: { b: ' x ' } } },
    { what: 'CDATA as it is', text: '<a><![CDATA[<b>&amp;]]></a>', data: { a: '<b>&amp;' } },
    {
      what: 'references',
      text: '<a x="&quot;&#10;">&lt;&gt;&amp;&apos;&#x4E16;&#128075;</a>',
      data: { a: { '@x': '"\n', '#text': "<>&'世👋" } },
    },
    { what: 'each reference once', text: '<a>&amp;lt;</a>', data: { a: '&lt;' } },
    {
      what: 'declaration, instructions, comments and DOCTYPE',
      text: '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<!DOCTYPE html PUBLIC "-//W3C//DTD" "x.dtd">\r\n<!-- c --><?go on?><a><?x?>1</a><!-- d -->',
      data: { a: '1' },
    },
    {
      what: 'names with prefixes',
      text: '<s:a xmlns:s="urn:x" s:b="1"><s:c/></s:a>',
      data: { 's:a': { '@xmlns:s': 'urn:x', '@s:b': '1', 's:c': '' } },
    },
    { what: 'names and text beyond ASCII', text: '<名 ä="ö">Grüße 👋</名>', data: { 名: { '@ä': 'ö', '#text': 'Grüße 👋' } } },
    {
      what: 'line ends as LF, and in attributes as spaces',
      text: '<a x="1\r\n2\t3">1\r\n2\r3</a>',
      data: { a: { '@x': '1 2 3', '#text': '1\n2\n3' } },
    },
    {
      what: 'other names for attributes and text',
      text: '<a x="1">t</a>',
      more: { attribute_prefix: '', text_key: '$' },
      data: { a: { x: '1', $: 't' } },
    },
    { what: '> in texts and attributes', text: '<a x=">">></a>', data: { a: { '@x': '>', '#text': '>' } } },
  ];
  for (const { what, text, more = {}, data } of cases) {
    it(`reads ${what}`, async () => {
      expect(await read(text, { ...more })).to.deep.equal(data);
    });
  }

  it('takes __proto__, constructor and prototype for names like any other', async () => {
    const data = await read('<__proto__ constructor="1"><prototype>x</prototype><toString/><__proto__/></__proto__>');
    expect(JSON.stringify(data)).to.equal('{"__proto__":{"@constructor":"1","prototype":"x","toString":"","__proto__":""}}');
  });

  it('reads what Python reads, for many documents', async () => {
    const documents = randomDocuments(inRound({ whole: 150, short: 50 }));
    const program = `import xml.etree.ElementTree as ET
def value(e):
    # What stands in front of the first child, and behind each of them.
    text = (e.text or "") + "".join(c.tail or "" for c in e)
    if not e.attrib and not len(e): return text
    out = {"@" + k: v for k, v in e.attrib.items()}
    if text.strip() if len(e) else text: out["#text"] = text
    for c in e: out.setdefault(c.tag, []).append(value(c))
    return {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in out.items()}
result = []
for text in given:
    root = ET.fromstring(text)
    result.append({root.tag: value(root)})`;
    const expected = python(program, documents) as unknown[];
    for (const [index, text] of documents.entries()) expect(await read(text), text).to.deep.equal(expected[index]);
  });

  const mistakes: readonly { readonly text: string; readonly line: number; readonly column: number; readonly says: string }[] = [
    { text: '', line: 1, column: 1, says: 'no root element' },
    { text: '<!-- a -->', line: 1, column: 1, says: 'no root element' },
    { text: 'x', line: 1, column: 1, says: 'text outside of the root element' },
    { text: '<a>\n  <b>\n</a>', line: 3, column: 1, says: 'expected the end of "b" first' },
    { text: '<a><b></b>', line: 1, column: 1, says: 'no end for "a"' },
    { text: '<a></a>\n</a>', line: 2, column: 1, says: '"a" is not open' },
    { text: '<a>\r\n<1b/></a>', line: 2, column: 1, says: 'no name behind "<"' },
    { text: '<a>x < y</a>', line: 1, column: 6, says: 'write a plain < as &lt;' },
    { text: '<a>\n<b x=1/></a>', line: 2, column: 6, says: 'expected = and a quoted value for the attribute' },
    { text: '<a x/>', line: 1, column: 5, says: 'expected = and a quoted value for the attribute' },
    { text: '<a x="1"y="2"/>', line: 1, column: 9, says: 'expected white space between attributes' },
    { text: '<a x="1" y="x" x="2"/>', line: 1, column: 16, says: 'the attribute "x" is there twice' },
    { text: '<a>1 & 2</a>', line: 1, column: 6, says: 'write a plain & as &amp;' },
    { text: '<a><!-- & --><![CDATA[&]]>&lt;<b>1 & 2</b></a>', line: 1, column: 36, says: 'write a plain & as &amp;' },
    { text: '<a>AT&T <b>&lt;</b></a>', line: 1, column: 6, says: 'write a plain & as &amp;' },
    { text: '<a>&</a>', line: 1, column: 4, says: 'write a plain & as &amp;' },
    { text: '<a>&;</a>', line: 1, column: 4, says: 'write a plain & as &amp;' },
    { text: '<a>\n&nbsp;</a>', line: 2, column: 1, says: '"&nbsp;" stands for nothing' },
    { text: '<a>&constructor;</a>', line: 1, column: 4, says: '"&constructor;" stands for nothing' },
    { text: '<a x="1 &foo; 2"/>', line: 1, column: 9, says: '"&foo;" stands for nothing' },
    { text: '<a x="1 & 2"/>', line: 1, column: 9, says: 'write a plain & as &amp;' },
    { text: '<a x="<"/>', line: 1, column: 7, says: '"<" in the value of an attribute' },
    { text: '<a>&#0;</a>', line: 1, column: 4, says: '"&#0;" is no character that XML allows' },
    { text: '<a>&#xD800;</a>', line: 1, column: 4, says: 'no character that XML allows' },
    { text: '<a>&#99999999;</a>', line: 1, column: 4, says: 'no character that XML allows' },
    { text: '<a>&#x;</a>', line: 1, column: 4, says: 'no character that XML allows' },
    { text: '<a>x\u0001</a>', line: 1, column: 5, says: 'a character that XML does not allow' },
    { text: '<a>x]]>y</a>', line: 1, column: 5, says: 'write ]]&gt;' },
    { text: '<a/><b/>', line: 1, column: 5, says: 'a second root element' },
    { text: '<a/>\nx', line: 2, column: 1, says: 'text outside of the root element' },
    { text: '<a/>&amp;', line: 1, column: 5, says: 'text outside of the root element' },
    { text: '<a/><![CDATA[x]]>', line: 1, column: 5, says: 'text outside of the root element' },
    { text: '<a><!-- a -- b --></a>', line: 1, column: 4, says: '"--" inside of a comment' },
    { text: '<a><!-- a ---></a>', line: 1, column: 4, says: '"--" inside of a comment' },
    { text: '<a/><!-- a', line: 1, column: 5, says: 'no end for what begins here' },
    { text: '<a><![CDATA[x]]</a>', line: 1, column: 4, says: 'no end for what begins here' },
    { text: '<a x="1', line: 1, column: 1, says: 'no end for what begins here' },
    { text: '<a><!x></a>', line: 1, column: 4, says: 'a declaration out of place' },
    { text: '<a><? ?></a>', line: 1, column: 6, says: 'instruction without a target' },
    { text: '<a><?p?i?></a>', line: 1, column: 4, says: 'white space behind the name of an instruction' },
    { text: '<a><?xml version="1.0"?></a>', line: 1, column: 4, says: 'at the very beginning only' },
    { text: '<?xml encoding="x"?><a/>', line: 1, column: 7, says: 'expected <?xml version="1.0"' },
    { text: '<?xml version="1.0"encoding="UTF-8"?><a/>', line: 1, column: 20, says: 'expected <?xml version' },
    { text: '<?xml version="1.0" version="1.0"?><a/>', line: 1, column: 21, says: 'expected <?xml version' },
    { text: '<?xml version="1.0 "?><a/>', line: 1, column: 7, says: 'expected <?xml version' },
    { text: '<?xml version="1.0" encoding="a/b"?><a/>', line: 1, column: 21, says: 'expected <?xml version' },
    { text: '<?xml version="1.0" encoding=""?><a/>', line: 1, column: 21, says: 'expected <?xml version' },
    { text: '<?xml version="1.0" encoding="a"standalone="no"?><a/>', line: 1, column: 33, says: 'expected <?xml version' },
    { text: '<!DOCTYPE a SYSTEM"x"><a/>', line: 1, column: 1, says: 'SYSTEM or PUBLIC' },
    { text: '<!DOCTYPE a PUBLIC "x""y"><a/>', line: 1, column: 1, says: 'SYSTEM or PUBLIC' },
    { text: '<a x=">"><b y=\'/>\'></a>', line: 1, column: 20, says: 'expected the end of "b" first' },
    { text: '<名>👋\n<b>👋</名>', line: 2, column: 6, says: 'expected the end of "b" first' },
    { text: '<?xml version="1.0" standalone="No"?><a/>', line: 1, column: 21, says: 'expected <?xml version' },
    { text: '<a><!DOCTYPE a></a>', line: 1, column: 4, says: 'before the root element' },
    { text: '<!DOCTYPE a><!DOCTYPE a><a/>', line: 1, column: 13, says: 'before the root element, and once' },
    { text: '<!-- <!DOCTYPE a [ --><!DOCTYPE a SYSTEM "["><a>', line: 1, column: 46, says: 'no end for "a"' },
    { text: '<!DOCTYPE><a/>', line: 1, column: 1, says: 'expected a name' },
    { text: '<!DOCTYPE SYSTEM "x.dtd"><a/>', line: 1, column: 1, says: 'expected a name' },
    { text: '<!DOCTYPE a PUBLIC "x"><a/>', line: 1, column: 1, says: 'SYSTEM or PUBLIC' },
    { text: '<!DOCTYPE a PUBLIC "{x}" "x.dtd"><a/>', line: 1, column: 1, says: 'SYSTEM or PUBLIC' },
  ];
  for (const { text, line, column, says } of mistakes) {
    it(`tells where ${JSON.stringify(text)} is wrong`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.to.include(`The XML is wrong at line ${line}, column ${column}: `);
      expect(error.details).to.include({ line, column });
    });
  }

  /** Which texts Python reads as XML. */
  const readable = (texts: readonly string[]) =>
    python(
      `import xml.etree.ElementTree as ET
result = []
for text in given:
    try:
        ET.fromstring(text)
        result.append(True)
    except ET.ParseError:
        result.append(False)`,
      texts,
    ) as boolean[];

  it('refuses no mistake that Python reads', () => {
    const texts = mistakes.map(({ text }) => text);
    const isReadable = readable(texts);
    expect(texts.filter((_, index) => isReadable[index])).to.deep.equal([]);
  });

  it('takes what Python takes of many documents with mistakes, and nothing else', () => {
    const texts = damagedDocuments(inRound({ whole: 20_000, short: 1000 }));
    const expected = readable(texts);
    expect(expected.filter((isReadable) => isReadable).length, 'documents without a mistake').to.be.within(
      texts.length / 10,
      texts.length / 2,
    );
    // The function itself: a call for each would take ten times as long.
    expect(texts.filter((text, index) => isRead(text) === !expected[index])).to.deep.equal([]);
  });

  const ofVersion1_1: readonly { readonly text: string; readonly data?: unknown; readonly says?: string }[] = [
    { text: '<a>&#1;</a>', data: { a: '\u0001' } },
    { text: '<a b="1\u0085 2">\u0085\u2028\r\u0085</a>', data: { a: { '@b': '1  2', '#text': '\n\n\n' } } },
    { text: '<a>\u007F</a>', says: 'a character that XML does not allow' },
    { text: '<a><![CDATA[\u0091]]></a>', says: 'a character that XML does not allow' },
    { text: '<!--\u0080--><a/>', says: 'a character that XML does not allow' },
    { text: '<a b="&#x1F;">&#x8;<![CDATA[&#1;]]><!--&#1;--></a>', data: { a: { '@b': '\u001F', '#text': '\b&#1;' } } },
    { text: '<a>&_1;</a>', says: '"&_1;" stands for nothing' },
    { text: '<a>&#0;</a>', says: 'no character that XML allows' },
  ];
  for (const { text, data, says } of ofVersion1_1) {
    it(`${says === undefined ? 'reads' : 'refuses'} ${JSON.stringify(text)} as XML 1.1`, async () => {
      const document = `<?xml version="1.1"?>${text}`;
      if (says === undefined) expect(await read(document)).to.deep.equal(data);
      else expect((await rejection(read(document), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }

  const definitions = [
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>',
    '<!DOCTYPE a SYSTEM "x" [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><a/>',
    '<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>',
    '<!DOCTYPE a [<!-- without an end --><!ELEMENT a ANY>',
    '<!DOCTYPE a SYSTEM "[" [\n',
  ];
  for (const text of definitions) {
    it(`reads nothing of ${text}`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.include('a document type definition, of which nothing is read');
    });
  }

  it('refuses names that would stand for two things', async () => {
    const error = await rejection(read('<a>\n<b x="1"><x/></b></a>', { attribute_prefix: '' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"x" would stand for two things').and.to.include('line 2, column 1');
    await rejection(read('<a>t<b/></a>', { text_key: 'b' }), 'INVALID_PARAMETERS');
  });

  it('refuses what is nested too deeply, and takes a long list', async () => {
    for (const levels of [600, 100_000]) {
      const error = await rejection(read('<a>'.repeat(levels) + '</a>'.repeat(levels)), 'INVALID_PARAMETERS');
      expect(error.message).to.include('nested too deeply');
    }
    const items = inRound({ whole: 100_000, short: 20_000 });
    const { r } = (await read(`<r>${'<i x="1">y</i>'.repeat(items)}</r>`)) as { r: { i: unknown[] } };
    expect(r.i).to.have.length(items);
  });

  it('refuses a result over its limit', async () => {
    const more = { attribute_prefix: '@'.repeat(20) };
    await rejection(read(`<r>${'<i x="1"/>'.repeat(300_000)}</r>`, more), 'OUTPUT_TOO_LARGE');
  });

  for (const parameters of [{}, { text: '<a/>', text_key: '' }, { text: `<a>${'x'.repeat(4_194_304)}</a>` }]) {
    it(`refuses the parameters ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      await rejection(shared.toolkit.execute('convert_xml_to_json', parameters), 'INVALID_PARAMETERS');
    });
  }
});

describe('convert_json_to_xml', () => {
  const shared = sharedToolkit();

  async function write(data: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { text } = (await shared.toolkit.execute('convert_json_to_xml', { data, ...more })) as { text: string };
    expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')).to.equal(true);
    return text.slice(39);
  }

  const cases: readonly { readonly data: object; readonly more?: object; readonly text: string }[] = [
    { data: { a: null }, text: '<a/>\n' },
    { data: {}, more: { root: 'a' }, text: '<a/>\n' },
    {
      data: { a: { b: [1, true, null, 'x', {}], c: [], d: '' } },
      text: '<a>\n  <b>1</b>\n  <b>true</b>\n  <b/>\n  <b>x</b>\n  <b/>\n  <d/>\n</a>\n',
    },
    { data: { a: { '@x': 1, '@y': null, '#text': 't' } }, text: '<a x="1">t</a>\n' },
    { data: { a: { b: { c: 1 } } }, more: { indent: 4 }, text: '<a>\n    <b>\n        <c>1</c>\n    </b>\n</a>\n' },
    { data: { a: { b: { c: 1 } } }, more: { indent: 0 }, text: '<a><b><c>1</c></b></a>\n' },
    { data: { p: { '#text': 'one ', b: { i: 'two' } } }, text: '<p>one <b><i>two</i></b></p>\n' },
    { data: { a: [1, 2] }, more: { root: 'r' }, text: '<r>\n  <a>1</a>\n  <a>2</a>\n</r>\n' },
    {
      data: { a: '<&>"\'\r\n\t', b: { '@x': '<&>"\'\r\n\t' } },
      more: { root: 'r', indent: 0 },
      text: '<r><a>&lt;&amp;&gt;"\'&#13;\n\t</a><b x="&lt;&amp;&gt;&quot;\'&#13;&#10;&#9;"/></r>\n',
    },
    { data: { 名: { '@ä': '世界', '#text': 'Grüße 👋' } }, text: '<名 ä="世界">Grüße 👋</名>\n' },
    { data: JSON.parse('{"__proto__":{"constructor":1}}'), text: '<__proto__>\n  <constructor>1</constructor>\n</__proto__>\n' },
  ];
  for (const { data, more = {}, text } of cases) {
    it(`writes ${JSON.stringify(data)} with ${JSON.stringify(more)}`, async () => {
      expect(await write(data, { ...more })).to.equal(text);
    });
  }

  it('writes what convert_xml_to_json reads as the same data, for many documents', async () => {
    for (const document of randomDocuments(inRound({ whole: 150, short: 50 }))) {
      const { data } = (await shared.toolkit.execute('convert_xml_to_json', { text: document })) as { data: JsonValue };
      const { text } = (await shared.toolkit.execute('convert_json_to_xml', { data })) as { text: string };
      expect(await shared.toolkit.execute('convert_xml_to_json', { text }), document).to.deep.equal({ data });
    }
  });

  const refused: readonly { readonly data: unknown; readonly more?: object; readonly path: string; readonly says: string }[] = [
    { data: { a: 1, b: 2 }, path: 'data', says: 'expected exactly one name, for the root element, received 2' },
    { data: {}, path: 'data', says: 'received 0' },
    { data: { a: [1] }, path: 'data', says: 'received one with a list' },
    { data: { 'a b': 1 }, path: 'data.a b', says: '"a b", which is no name in XML' },
    { data: { a: { '': 1 } }, path: 'data.a.', says: 'no name in XML' },
    { data: { a: { '><script>': 1 } }, path: 'data.a.><script>', says: 'no name in XML' },
    { data: { a: { '@x="1" y': 1 } }, path: 'data.a.@x="1" y', says: 'no name in XML' },
    { data: { a: 1 }, more: { root: '1a' }, path: 'root', says: 'no name in XML' },
    { data: { a: { b: [[1]] } }, path: 'data.a.b[0]', says: 'a list in a list' },
    { data: { a: { '@x': {} } }, path: 'data.a.@x', says: 'an object or a list' },
    { data: { a: { '#text': [1] } }, path: 'data.a.#text', says: 'an object or a list' },
    { data: { a: 'x\u0001' }, path: 'data.a', says: 'at character 2' },
    { data: { a: { '@x': '\uFFFE' } }, path: 'data.a.@x', says: 'a character that XML does not allow' },
    { data: { a: '\uD800' }, path: 'data.a', says: 'half of a surrogate pair' },
    { data: { a: 2 ** 53 }, path: 'data.a', says: 'beyond 2^53' },
  ];
  for (const { data, more = {}, path, says } of refused) {
    it(`refuses ${JSON.stringify(data)} with ${JSON.stringify(more)}`, async () => {
      const error = await rejection(write(data, { ...more }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]).to.include({ path });
    });
  }

  it('refuses a result over its limit', async () => {
    await rejection(write({ a: 'x'.repeat(8_400_000) }), 'OUTPUT_TOO_LARGE');
    const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ a: inner }), { a: Array.from({ length: 30_000 }, () => 1) });
    await rejection(write(deep, { indent: 8 }), 'OUTPUT_TOO_LARGE');
  });
});

/** Documents without white space that is only layout at the end of a mixed text. */
function randomDocuments(count: number): string[] {
  const random = randomNumbers(10);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const texts = [
    '',
    'a',
    ' x ',
    'Grüße',
    '世界 👋',
    '&lt;b&gt;',
    '&amp;',
    '&#65;',
    '<![CDATA[<&>]]>',
    '<!-- c -->',
    'a\nb',
    '\n  ',
    '\'"',
    '007',
  ];
  const element = (depth: number): string => {
    const name = pick(['a', 'b', 'c-d', 'e.f', 'ü', '__proto__', 'constructor']);
    const attributes = ['x', 'y', 'ä'].filter(() => random() < 0.2).map((key) => ` ${key}="${pick(['', '1', '&quot;', "'", ' é '])}"`);
    const parts = Array.from({ length: depth > 0 ? Math.floor(random() * 4) : 0 }, () => `${pick(texts)}${element(depth - 1)}`);
    const content = `${parts.join('')}${pick(texts)}`;
    return content === '' ? `<${name}${attributes.join('')}/>` : `<${name}${attributes.join('')}>${content}</${name}>`;
  };
  return Array.from({ length: count }, () => element(3));
}

/** Undefined where Python has another rule: it reads document type definitions, and takes any version. */
function isRead(text: string): boolean | undefined {
  try {
    return 'data' in xmlToJson({ text, attribute_prefix: '@', text_key: '#text' });
  } catch (error) {
    const hasOtherVersion = /^<\?xml\s+version\s*=\s*(["'])(?!1\.\d+\1)/.test(text);
    return hasOtherVersion || /a document type definition/.test(String(error)) ? undefined : false;
  }
}

/** Documents with one or two places where characters came in, went, or are others. */
function damagedDocuments(count: number): string[] {
  const random = randomNumbers(43);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const documents = [
    ...randomDocuments(20),
    '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<!DOCTYPE a SYSTEM "a.dtd">\n<a x="1" y=\'2\'><b/>&lt;&#65;</a>\n<!-- c -->',
    "<!DOCTYPE a PUBLIC '-//a//b' 'x'><a><![CDATA[<]]>x</a><?p i?>",
  ];
  const characters = [...'<>&;"\'=/!?-[]#x1a \n', '<!--', '-->', ']]>', '<?', '?>', '&#x', '</a>', '\u0001', '\uFFFE'];
  return Array.from({ length: count }, () => {
    const text = Array.from(pick(documents));
    for (let changes = 1 + Math.floor(random() * 2); changes > 0; changes -= 1) {
      const at = Math.floor(random() * text.length);
      const taken = pick([0, 0, 1, 1, 3]);
      text.splice(at, taken, ...(taken > 0 && random() < 0.5 ? [] : [pick(characters)]));
    }
    return text.join('');
  });
}
