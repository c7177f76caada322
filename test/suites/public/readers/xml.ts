import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, differenceFromRefusal, toolAnswer } from '../tool-answer.ts';

interface XmlCase {
  /** The file, the part behind `xmlconf/` of which names the case. */
  readonly id: string;
  /** The difference of an earlier answer: `accepted: …` for a document that is not well-formed, else the error for one that is. */
  readonly why: string;
  /** The beginning of the document: the cases hold 200 characters of each. */
  readonly input: string;
}

const longest = 200;

/** The W3C's XML conformance suite, of which these cases are about well-formedness, for `convert_xml_to_json`. */
export const xml: PublicSuite = {
  name: 'xml',
  counts: false,
  casesOf: (file) =>
    (file as readonly XmlCase[]).map(({ id, why, input }) => ({
      id: id.replace(/^.*\/xmlconf\//, ''),
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'convert_xml_to_json', { text: input.length < longest ? input : ended(input) });
        if (why.startsWith('accepted')) return differenceFromRefusal(answer);
        return differenceFrom(answer, true, ({ data }: { readonly data: unknown }) => typeof data === 'object');
      },
    })),
};

/** A document that was cut, with an end for what is open in it: the cut itself is no mistake that a case is about. */
function ended(text: string): string {
  const open: string[] = [];
  const cut = text.lastIndexOf('<!--') > text.lastIndexOf('-->') ? text.slice(0, text.lastIndexOf('<!--')) : text;
  for (const [, end, name = '', empty] of cut.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<(\/?)([a-z][\w.-]*)[^<>]*?(\/?)>/gi)) {
    if (end === '/') open.pop();
    else if (empty !== '/') open.push(name);
  }
  return (
    cut +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  );
}
