import { expect } from 'chai';
// @ts-expect-error: a part of the build, without types.
import { compileTemplates } from '../../../../plugins/toolkit/compile-templates.mjs';

/** `§` is the dollar of a template. */
const compiled = (code: string): string => (compileTemplates(code.replaceAll('§', '$')) as string).replaceAll(/\s+/g, ' ');

describe('the compiled templates of the page', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['an element with a text', 'html`<p class="a">b</p>`', 'h("p", { "class": "a" }, "b")'],
    [
      'a component with expressions',
      'html`<§{Box} size=§{1 + 1} ...§{more}>§{text}<//>`',
      'h((Box), { "size": (1 + 1), ...(more) }, (text))',
    ],
    [
      'a template in a template',
      'html`<ul>§{rows.map((row) => html`<li>§{row}</li>`)}</ul>`',
      'h("ul", null, (rows.map((row) => h("li", null, (row)))))',
    ],
    ['several roots as a list', 'html`Let §{tool} run`', '["Let ", (tool), " run"]'],
    ['an attribute without a value', 'html`<input disabled />`', 'h("input", { "disabled": true })'],
    ['braces and quotes in an expression', 'html`<p>§{f({ a: "}`" })}</p>`', 'h("p", null, (f({ a: "}`" })))'],
  ];
  for (const [name, code, expected] of cases)
    it(`make ${name}`, () => {
      expect(compiled(code)).to.equal(expected);
    });

  for (const code of ['html`<p>See\n  <a>Tools</a></p>`', 'html`<p><code>a</code>\n  b</p>`', 'html`<p>§{html`A.\n <a>b</a>`}</p>`'])
    it(`refuse a lost space in ${JSON.stringify(code)}`, () => {
      expect(() => compiled(code)).to.throw('loses the space');
    });

  it('refuse an attribute that joins text with an expression', () => {
    expect(() => compiled('html`<p class="a §{b}">x</p>`')).to.throw('Write the whole attribute as one expression');
  });
});
