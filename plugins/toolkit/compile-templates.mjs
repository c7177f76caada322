/**
 * Part of the build of the console's page: replaces each template html`…` by the calls that htm would make at run time, so that the page needs no
 * htm. The input is JavaScript without types.
 */
import htm from 'htm';

const tag = 'html`';
const make = htm.bind(call);

/** Returns the code without templates. `html` must not be used otherwise. */
export function compileTemplates(code) {
  let compiled = '';
  let rest = 0;
  for (let at = nextTag(code, 0); at >= 0; at = nextTag(code, rest)) {
    const { strings, expressions, end } = readTemplate(code, at + tag.length);
    const values = expressions.map((text, index) => new Expression(compileTemplates(text.trim()), index));
    compiled += code.slice(rest, at) + rootCode(make(strings, ...values));
    rest = end;
  }
  return compiled + code.slice(rest);
}

/** Code in a template. Spread into attributes, it is one attribute with a name that says so. */
class Expression {
  constructor(code, index) {
    Object.defineProperty(this, 'code', { value: code });
    this[`...${index}`] = code;
  }

  toString() {
    throw new Error(`A template joins text with the expression ${this.code}. Write the whole attribute as one expression.`);
  }
}

function call(type, attributes, ...children) {
  const members = Object.entries(attributes ?? {}).map(([name, value]) =>
    name.startsWith('...') ? `...(${value})` : `${JSON.stringify(name)}: ${codeOf(value)}`,
  );
  const parts = [codeOf(type), members.length === 0 ? 'null' : `{ ${members.join(', ')} }`, ...children.map(codeOf)];
  return { code: `h(${parts.join(', ')})` };
}

/** A template with several roots is a list, as in htm. */
function rootCode(root) {
  if (Array.isArray(root)) return `[${root.map(codeOf).join(', ')}]`;
  return typeof root === 'string' || root instanceof Expression ? codeOf(root) : root.code;
}

function codeOf(value) {
  return typeof value === 'object' ? `(${value.code})` : JSON.stringify(value);
}

function nextTag(code, from) {
  let at = code.indexOf(tag, from);
  while (at > 0 && /[\w$.]/.test(code[at - 1])) at = code.indexOf(tag, at + 1);
  return at;
}

/** Reads from behind the first backtick to the last one. */
function readTemplate(code, start) {
  const strings = [''];
  const expressions = [];
  let at = start;
  while (code[at] !== '`') {
    if (code.startsWith('${', at)) {
      const end = endOfExpression(code, at + 2);
      expressions.push(code.slice(at + 2, end));
      strings.push('');
      at = end + 1;
    } else if (code[at] === '\\') throw new Error(`A template has a backslash: ${code.slice(at, at + 40)}`);
    else if (at >= code.length) throw new Error(`A template does not end: ${code.slice(start, start + 40)}`);
    else strings[strings.length - 1] += code[at++];
  }
  refuseLostSpaces(strings);
  return { strings, expressions, end: at + 1 };
}

/** Throws for a sentence whose line breaks beside an inline element: htm drops the break, and the words would stick together. */
function refuseLostSpaces(strings) {
  const lost = /[\w.,:;)]\n\s*<(?:a|code|kbd|strong)\b|<\/(?:a|code|kbd|strong)>\n\s*[\w(]/;
  const [found] = strings.flatMap((text) => lost.exec(text)?.[0] ?? []);
  if (found !== undefined)
    throw new Error(`A template loses the space at ${JSON.stringify(found)}. Break the line between two words of a text.`);
}

/** Returns the index of the brace that ends an expression. */
function endOfExpression(code, start) {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const character = code[at];
    if (character === '"' || character === "'") at = endOfText(code, at);
    else if (character === '`') at = readTemplateEnd(code, at + 1);
    else if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) return at;
  }
  throw new Error(`An expression does not end: ${code.slice(start, start + 40)}`);
}

function endOfText(code, start) {
  let at = start + 1;
  while (code[at] !== code[start]) at += code[at] === '\\' ? 2 : 1;
  return at;
}

function readTemplateEnd(code, start) {
  let at = start;
  while (code[at] !== '`') at = code.startsWith('${', at) ? endOfExpression(code, at + 2) + 1 : at + (code[at] === '\\' ? 2 : 1);
  return at;
}
